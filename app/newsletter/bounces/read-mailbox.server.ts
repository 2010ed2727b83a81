import { messageOf } from '#app/platform/errors.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';
import { takeOne } from '../limits.server.ts';
import { applyReport } from './apply-report.server.ts';
import { readUnseen } from './imap.server.ts';

const EVERY_MS = 5 * 60 * 1000;
const MAILS_AT_ONCE = 200;

/**
 * Reads new reports of failed delivery from the bounce mailbox, if there is one: every five minutes, in one process.
 * Mails stay in the mailbox, marked as read. Never throws.
 */
export async function readBounces(app: Timed & Configured & Logged): Promise<void> {
  try {
    const settings = await readSettings(app);
    const { bounce_imap_host: host, bounce_imap_port: port, bounce_imap_username: user } = settings;
    if (!settings.newsletter_enabled || host === '' || user === '') return;
    const now = app.clock.now();
    if (!(await takeOne(app.db, { key: 'bounces', now, windowMs: EVERY_MS, max: 1 }))) return;
    const row = await app.db.setting.findUnique({ where: { key: 'bounce_imap_password' } });
    const pass = row?.value ? decryptSecret(row.value, app.env.authSecret) : '';
    await readUnseen({ host, port, user, pass }, MAILS_AT_ONCE, (raw) => applyReport(app, raw));
  } catch (error) {
    app.log.warn(
      { reason: messageOf(error) },
      'The bounce mailbox could not be read; a later trigger tries again',
    );
  }
}
