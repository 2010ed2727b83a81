import type { Configured, Db } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { LinkPurpose } from '../tokens.server.ts';
import { sendMail, type MailApp } from './send.server.ts';

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
