// A real SMTP server on loopback. It records the product's mail, and refuses recipients when a test says so.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { App } from '#app/app.ts';

export interface Message {
  to: string[];
  from: string;
  /** As received, with quoted-printable decoded. */
  text: string;
}

export interface Smtp {
  port: number;
  messages: Message[];
  /** Refuses every recipient from now on, with these words; null: refuses none. */
  refuse(words: string | null): void;
  close(): Promise<void>;
}

/** Starts the server; it takes mail only from the user `dateline` with the password `mail-password`. */
export async function startSmtp(): Promise<Smtp> {
  const messages: Message[] = [];
  let refusal: string | null = null;
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      if (username === 'dateline' && password === 'mail-password') done(null, { user: username });
      else done(Object.assign(new Error('5.7.8 Wrong user or password'), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      done(refusal === null ? null : Object.assign(new Error(refusal), { responseCode: 550 }));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = decode(Buffer.concat(chunks).toString('utf8'));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        messages.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done(null, 'Queued as TEST-4711');
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    messages,
    refuse: (words) => void (refusal = words),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Fields of `/settings/email` for that server. */
export const smtpFields = (smtp: Smtp) => ({
  intent: 'save',
  smtp_host: '127.0.0.1',
  smtp_port: String(smtp.port),
  smtp_secure: 'false',
  smtp_username: 'dateline',
  smtp_password: 'mail-password',
  smtp_from: 'Gazette <gazette@example.org>',
});

/** The path of the link in the newest message to somebody. */
export function linkTo(smtp: Smtp, email: string, app: Pick<App, 'env'>): string {
  const message = smtp.messages.findLast(({ to }) => to.includes(email));
  const link = /https?:\/\/\S+/.exec(message?.text ?? '')?.[0];
  if (!link?.startsWith(`${app.env.siteUrl}/`)) throw new Error(`No link in ${JSON.stringify(message)}`);
  return link.slice(app.env.siteUrl.length);
}

function decode(text: string): string {
  if (!/quoted-printable/i.test(text)) return text;
  return text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, code: string) => String.fromCharCode(parseInt(code, 16)));
}
