import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { atFileEnd } from '../file-end.ts';

export interface ImapOptions {
  /** Mails of the inbox by their ids. */
  mails: ReadonlyMap<number, string>;
  /** The only right one. */
  password?: string;
  /** PEM. With it the server speaks TLS: from the start, or after `STARTTLS`. */
  identity?: { cert: string; key: string };
  startTls?: boolean;
}

export interface ImapMailbox {
  port: number;
  /** What clients asked for, without tags. */
  commands: string[];
  /** Ids of mails that are marked as read. */
  seen: Set<number>;
}

/** Starts an IMAP server with one inbox, until the end of the test file. */
export async function startImap(options: ImapOptions): Promise<ImapMailbox> {
  const { identity, startTls = false } = options;
  const state = { commands: [] as string[], seen: new Set<number>() };
  const greet = (socket: Socket) => {
    socket.write('* OK ready\r\n');
    talk(socket, options, state);
  };
  const server = identity && !startTls ? createTlsServer(identity, greet) : createServer(greet);
  // A client that does not trust the certificate ends the handshake.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(() => server.close());
  return { ...state, port: (server.address() as AddressInfo).port };
}

function talk(socket: Socket, options: ImapOptions, state: Omit<ImapMailbox, 'port'>): void {
  const { mails, password, identity, startTls } = options;
  const { commands, seen } = state;
  const onData = (data: Buffer) => {
    const [tag = '', ...words] = data.toString().trim().split(' ');
    const command = words.join(' ');
    commands.push(command);
    if (command === 'STARTTLS' && identity) {
      socket.off('data', onData);
      socket.write(`${tag} OK begin\r\n`);
      const secure = new TLSSocket(socket, { isServer: true, ...identity });
      talk(secure, { ...options, startTls: false }, state);
      return;
    }
    if (command.startsWith('LOGIN') && password !== undefined && !command.endsWith(` "${password}"`)) {
      socket.write(`${tag} NO [AUTHENTICATIONFAILED] Wrong password for this mailbox\r\n`);
      return;
    }
    const uid = Number(/^UID (?:FETCH|STORE) (\d+)/.exec(command)?.[1]);
    if (command === 'CAPABILITY')
      socket.write(`* CAPABILITY IMAP4rev1${startTls && identity ? ' STARTTLS' : ''}\r\n`);
    if (command.startsWith('UID SEARCH'))
      socket.write(`* SEARCH ${[...mails.keys()].filter((id) => !seen.has(id)).join(' ')}\r\n`);
    if (command.startsWith('UID FETCH')) {
      const mail = mails.get(uid)!;
      socket.write(`* 1 FETCH (UID ${uid} BODY[]<0> {${Buffer.byteLength(mail)}}\r\n${mail})\r\n`);
    }
    if (command.startsWith('UID STORE')) seen.add(uid);
    socket.write(`${tag} OK done\r\n`);
  };
  socket.on('data', onData);
  socket.on('error', () => {});
}
