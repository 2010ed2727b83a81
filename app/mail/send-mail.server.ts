import { createTransport } from 'nodemailer';
import type { App } from '#app/app.ts';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';

export type MailApp = Pick<App, 'db' | 'env'>;

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

// A server that does not answer must not hold a page for minutes, as nodemailer's own limits would.
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Hands a message to the SMTP server of the settings, as they are now.
 * @returns the server's own answer, such as `250 2.0.0 Ok: queued as 4F1`.
 * @throws AppError `not_configured` without a server or sender; `unavailable` with the server's own words.
 */
export async function sendMail(app: MailApp, mail: Mail): Promise<{ answer: string }> {
  const settings = await readSettings(app);
  if (settings.smtp_host === '' || settings.smtp_from === '')
    throw new AppError('not_configured', 'E-mail is not set up: the SMTP host and the sender are missing.');
  const transport = createTransport({
    host: settings.smtp_host,
    port: settings.smtp_port,
    secure: settings.smtp_secure,
    auth:
      settings.smtp_username === ''
        ? undefined
        : { user: settings.smtp_username, pass: await readPassword(app) },
    ...timeouts,
  });
  try {
    const { response } = await transport.sendMail({ from: settings.smtp_from, ...mail });
    return { answer: response };
  } catch (error) {
    throw new AppError('unavailable', `The mail server refused: ${wordsOf(error)}`, { cause: error });
  } finally {
    transport.close();
  }
}

/** True when messages can be sent as far as the settings tell. */
export async function isMailConfigured(app: Pick<App, 'db'>): Promise<boolean> {
  const { smtp_host, smtp_from } = await readSettings(app);
  return smtp_host !== '' && smtp_from !== '';
}

async function readPassword(app: MailApp): Promise<string> {
  const row = await app.db.setting.findUnique({ where: { key: 'smtp_password' } });
  return row?.value ? decryptSecret(row.value, app.env.authSecret) : '';
}

// `response` is what the server said; without one (no connection, bad certificate) the error's own message.
function wordsOf(error: unknown): string {
  const { response } = error as { response?: unknown };
  return typeof response === 'string' && response !== '' ? response : messageOf(error);
}
