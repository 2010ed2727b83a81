import { createTransport } from 'nodemailer';
import { AppError, codeOf, messageOf } from '#app/platform/errors.ts';
import type { Configured, Db, Logged } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';
import type { LinkPurpose } from './tokens.server.ts';

type MailApp = Db & Configured & Logged;

interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  html?: string;
  /** Absent: the sender of the settings. */
  from?: string;
  replyTo?: string;
}

/** How to reach the SMTP server of the settings. */
export interface MailServer {
  host: string;
  port: number;
  secure: boolean;
  auth?: { user: string; pass: string };
  dnsTimeout: number;
  connectionTimeout: number;
  greetingTimeout: number;
  socketTimeout: number;
}

// Nodemailer's own limits would let a page wait for minutes for a server that does not answer.
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

/**
 * Sends a message through the SMTP server of the current settings.
 * @throws AppError `not_configured` without a server or sender; `unavailable` when the server does not accept it.
 */
export async function sendMail(app: MailApp, mail: Mail): Promise<void> {
  const settings = await readSettings(app);
  if (settings.smtp_host === '' || settings.smtp_from === '')
    throw new AppError('not_configured', 'Email is not set up: the SMTP host and the sender are missing.');
  const transport = createTransport(await readMailServer(app));
  try {
    await transport.sendMail({ ...mail, from: senderOf(mail.from ?? settings.smtp_from) });
  } catch (error) {
    const code = codeOf(error);
    // The log scrubs a reason: servers repeat the recipient in their answers.
    app.log.warn({ code, reason: messageOf(error) }, 'The mail server did not accept a message');
    throw new AppError('unavailable', problemOf(error), { cause: error });
  } finally {
    transport.close();
  }
}

/** The SMTP server of the current settings, with the password. */
export async function readMailServer(app: MailApp): Promise<MailServer> {
  const { smtp_host, smtp_port, smtp_secure, smtp_username } = await readSettings(app);
  const auth = smtp_username === '' ? {} : { auth: { user: smtp_username, pass: await readPassword(app) } };
  return { host: smtp_host, port: smtp_port, secure: smtp_secure, ...auth, ...timeouts };
}

/** The sender in its parts, since a name may contain signs (`News: Harbour`) that mean a list of addresses. */
export function senderOf(sender: string): { name: string; address: string } {
  const [, name = '', address = sender] = /^(.*?)<?([^\s<>]+)>?$/.exec(sender) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

/** True when the settings name a server and a sender. */
export async function isMailConfigured(app: Db): Promise<boolean> {
  const { smtp_host, smtp_from } = await readSettings(app);
  return smtp_host !== '' && smtp_from !== '';
}

async function readPassword(app: MailApp): Promise<string> {
  const row = await app.db.setting.findUnique({ where: { key: 'smtp_password' } });
  return row?.value ? decryptSecret(row.value, app.env.authSecret) : '';
}

/**
 * The error message. The server's answer is only logged: on a screen it would let an administrator probe the network.
 */
function problemOf(error: unknown): string {
  const { code = '', originalCode } = error as { code?: string; originalCode?: string };
  if (['EAUTH', 'ENOAUTH', 'EOAUTH2'].includes(code)) return 'The mail server rejected the login.';
  const isTlsFailure = /CERT|SIGNATURE|ISSUER|SSL|TLS|EPROTO/.test(originalCode ?? '');
  const unreachable = code === 'ESOCKET' && originalCode !== 'ECONNREFUSED' && !isTlsFailure;
  if (unreachable || ['ETIMEDOUT', 'EDNS'].includes(code)) return 'No answer from the mail server.';
  return 'The mail server refused the connection or the message.';
}

const texts: Record<LinkPurpose, { subject: string; lines: (site: string) => string[] }> = {
  reset: {
    subject: 'Reset your password for',
    lines: (site) => [
      `Someone requested a new password for your account at ${site}. Choose one within one hour:`,
      'If this was not you, ignore this message. Your password stays as it is.',
    ],
  },
  invitation: {
    subject: 'Invitation to write at',
    lines: (site) => [
      `You have been invited to write at ${site}. Choose a password within seven days:`,
      'If you did not expect this invitation, ignore this message.',
    ],
  },
};

/** The address of a reset or invitation page. Only messages contain it, never a public page. */
export async function tokenLink(app: Db & Configured, purpose: LinkPurpose, token: string): Promise<string> {
  const { admin_path } = await readSettings(app);
  // In the query, since the access log leaves queries out.
  return `${app.env.siteUrl}/${admin_path}/login/${purpose}?token=${token}`;
}

/** @throws AppError as `sendMail`. */
export async function sendTokenMail(
  app: MailApp,
  purpose: LinkPurpose,
  to: string,
  link: string,
): Promise<void> {
  const { site_title } = await readSettings(app);
  const { subject, lines } = texts[purpose];
  const [opening, closing] = lines(site_title);
  await sendMail(app, {
    to,
    subject: `${subject} ${site_title}`,
    text: `${opening}\n\n${link}\n\n${closing}\n`,
  });
}
