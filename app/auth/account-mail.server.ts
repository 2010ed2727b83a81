import type { App } from '#app/app.ts';
import { sendMail, type MailApp } from '#app/mail/send-mail.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { LinkPurpose } from './tokens.server.ts';

const texts: Record<LinkPurpose, { subject: string; lines: (site: string) => string[] }> = {
  reset: {
    subject: 'A new password for',
    lines: (site) => [
      `Somebody, probably you, asked for a new password at ${site}. Choose it here within one hour:`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  },
  invitation: {
    subject: 'An invitation to write at',
    lines: (site) => [
      `You have been invited to write at ${site}. Choose a password here within seven days:`,
      'If you do not know what this is about, do nothing.',
    ],
  },
};

/** The address of a reset or invitation page. It stands in messages only, never on a public page. */
export async function tokenLink(
  app: Pick<App, 'db' | 'env'>,
  purpose: LinkPurpose,
  token: string,
): Promise<string> {
  const { admin_path } = await readSettings(app);
  // In the query, which stays out of the access log.
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
