import { connect, type TLSSocket } from 'node:tls';
import { connect as connectPlain, type Socket } from 'node:net';

const ANSWER_MS = 10_000;
const MESSAGE_BYTES = 1_000_000;

interface ImapServer {
  host: string;
  port: number;
  user: string;
  pass: string;
}

/**
 * The few commands of IMAP (RFC 3501) that reading a mailbox needs. A client of full size brings ten packages for them.
 */
export class ImapSession {
  private buffer = Buffer.alloc(0);
  private tag = 0;
  private failure: Error | null = null;
  private wake: () => void = () => {};

  private constructor(private readonly socket: Socket | TLSSocket) {
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('No answer from the IMAP server.')));
    socket.on('data', (data) => {
      this.buffer = Buffer.concat([this.buffer, data]);
      this.wake();
    });
    const end = (error?: Error) => {
      this.failure ??= error ?? new Error('The IMAP server closed the connection.');
      this.wake();
    };
    socket.on('error', end);
    socket.on('close', () => end());
  }

  static async open({ host, port, user, pass }: ImapServer): Promise<ImapSession> {
    // A password leaves this host only within TLS.
    const isPlain = /^(localhost|127\.[\d.]+|::1)$/.test(host) && port !== 993;
    const socket = isPlain ? connectPlain({ host, port }) : connect({ host, port, servername: host });
    const session = new ImapSession(socket);
    try {
      await session.line();
      await session.command(`LOGIN ${quoted(user)} ${quoted(pass)}`);
      await session.command('SELECT INBOX');
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /** The ids of mails that nobody has read. */
  async listUnseen(): Promise<number[]> {
    const lines = await this.command('UID SEARCH UNSEEN');
    return lines.flatMap((line) =>
      (/^\* SEARCH (.*)$/i.exec(line)?.[1] ?? '')
        .split(' ')
        .map(Number)
        .filter((uid) => uid > 0),
    );
  }

  /** The beginning of a mail, without marking it as read. */
  async fetch(uid: number): Promise<string> {
    const lines = await this.command(`UID FETCH ${uid} (BODY.PEEK[]<0.${MESSAGE_BYTES}>)`);
    return lines.find((line) => line.startsWith(LITERAL))?.slice(LITERAL.length) ?? '';
  }

  async markSeen(uid: number): Promise<void> {
    await this.command(`UID STORE ${uid} +FLAGS.SILENT (\\Seen)`);
  }

  close(): void {
    this.socket.destroy();
  }

  /** @returns the lines before the server's answer; a literal is one of them, marked */
  private async command(text: string): Promise<string[]> {
    this.tag += 1;
    const tag = `a${this.tag}`;
    this.socket.write(`${tag} ${text}\r\n`);
    const lines: string[] = [];
    for (;;) {
      const line = await this.line();
      if (line.startsWith(`${tag} OK`)) return lines;
      if (line.startsWith(`${tag} `)) throw new Error(line.slice(tag.length + 1, 300));
      lines.push(line);
      const length = /\{(\d+)\}$/.exec(line)?.[1];
      if (length) lines.push(LITERAL + (await this.bytes(Number(length))).toString('latin1'));
    }
  }

  private async line(): Promise<string> {
    for (;;) {
      const end = this.buffer.indexOf('\r\n');
      if (end !== -1) {
        const line = this.buffer.subarray(0, end).toString('latin1');
        this.buffer = this.buffer.subarray(end + 2);
        return line;
      }
      await this.more();
    }
  }

  private async bytes(count: number): Promise<Buffer> {
    while (this.buffer.length < count) await this.more();
    const bytes = this.buffer.subarray(0, count);
    this.buffer = this.buffer.subarray(count);
    return bytes;
  }

  private async more(): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.buffer.length > 2 * MESSAGE_BYTES) throw new Error('The IMAP server sent too much.');
    await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.failure && this.buffer.length === 0) throw this.failure;
  }
}

const LITERAL = '\0';

function quoted(text: string): string {
  return `"${text.replace(/[\r\n]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
