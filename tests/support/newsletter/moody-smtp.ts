// A real SMTP server that closes connections after some mails and refuses recipients as a test says.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string;
  raw: string;
  messageId: string;
}

export interface MoodySmtp {
  port: number;
  received: ReceivedMail[];
  connections: number;
  /** Says what becomes of a recipient: an SMTP answer such as `550 5.1.1 User unknown`, or null for yes. */
  answer: (address: string) => string | null;
  /** The same for a sender. */
  answerSender: () => string | null;
  /** What becomes of a mail that has arrived, of those accepted so far; `drop` closes the connection. */
  afterData: (accepted: number) => 'accept' | 'drop' | 'hang';
  /** Closes each connection after so many mails. */
  closeAfter: number;
  close(): Promise<void>;
}

const failure = (answer: string) =>
  Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });

export async function startMoodySmtp(): Promise<MoodySmtp> {
  const counts = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      smtp.connections += 1;
      done();
    },
    onMailFrom(_address, session, done) {
      const sent = counts.get(session.id) ?? 0;
      const words =
        sent >= smtp.closeAfter ? '421 4.7.0 Too many mails on this connection' : smtp.answerSender();
      done(words === null ? null : failure(words));
    },
    onRcptTo({ address }, _session, done) {
      const words = smtp.answer(address);
      done(words === null ? null : failure(words));
    },
    onData(stream, { envelope, id }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const fate = smtp.afterData(smtp.received.length);
        if (fate === 'hang') return;
        if (fate === 'drop') return done(failure('421 4.3.0 Closing'));
        counts.set(id, (counts.get(id) ?? 0) + 1);
        const raw = Buffer.concat(chunks).toString('utf8');
        smtp.received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo[0]!.address,
          raw,
          messageId: /^Message-ID:\s*(\S+)/im.exec(raw)?.[1] ?? '',
        });
        done(null);
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const smtp: MoodySmtp = {
    port: (server.server.address() as AddressInfo).port,
    received: [],
    connections: 0,
    answer: () => null,
    answerSender: () => null,
    afterData: () => 'accept',
    closeAfter: Infinity,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}

/** The settings of a newsletter that uses the server. */
export const newsletterFields = ({ port }: MoodySmtp) => ({
  smtp_host: '127.0.0.1',
  smtp_port: String(port),
  smtp_from: 'Gazette <gazette@example.org>',
  newsletter_enabled: 'yes',
  newsletter_per_minute: '100000',
  newsletter_delay_minutes: '0',
});

/** The content of a quoted-printable mail. */
export function decoded(raw: string): string {
  const bytes = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, code: string) => String.fromCharCode(parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
