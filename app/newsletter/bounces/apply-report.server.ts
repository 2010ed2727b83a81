import type { Timed } from '#app/platform/services.ts';
import { suspend, unsubscribe } from '../subscribers.server.ts';
import { readReport } from './read-report.ts';
import { consequenceOf } from './try-folder.server.ts';

/** What became of a mail of the bounce mailbox. */
export type AppliedReport = 'suspended' | 'unsubscribed' | 'failed' | 'nothing';

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Of our mails: issue and subscriber. Nobody can guess one, so nobody can suspend another person by a forged report. */
const messageId = new RegExp(`\\b(${ID})\\.(${ID})@`, 'i');
/** The envelope sender of our mails, to which servers send reports. */
const returnPath = /\+([0-9a-f]{32})@/i;

/** Does what a report of failed delivery or a complaint says, if it is about a mail of ours. */
export async function applyReport(app: Timed, raw: string): Promise<AppliedReport> {
  const report = readReport(raw);
  const would = consequenceOf(report);
  if (would === 'nothing') return 'nothing';
  const mail = await findMail(app, raw);
  if (!mail) return 'nothing';
  const { subscriberId, issueId } = mail;
  if (report.kind !== 'bounce') {
    await unsubscribe(app, subscriberId);
    return 'unsubscribed';
  }
  const { words } = report.refusal;
  await app.db.newsletterRecipient.updateMany({
    where: { subscriberId, state: 'sent', ...(issueId && { issueId }) },
    data: { state: would === 'suspend' ? 'refused' : 'failed', reason: words },
  });
  if (would !== 'suspend') return 'failed';
  await suspend(app, subscriberId, words);
  return 'suspended';
}

/** The mail that a report is about: by its `Message-ID`, also in attached headers, or by the address of the report. */
async function findMail(
  { db }: Pick<Timed, 'db'>,
  raw: string,
): Promise<{ subscriberId: string; issueId: string } | null> {
  // Quoted-printable breaks long lines.
  const [, issueId, subscriberId] = messageId.exec(raw.replace(/=\r?\n/g, '')) ?? [];
  if (issueId && subscriberId) {
    const key = { issueId: issueId.toLowerCase(), subscriberId: subscriberId.toLowerCase() };
    const row = await db.newsletterRecipient.findUnique({ where: { issueId_subscriberId: key } });
    if (row) return key;
  }
  const hex = returnPath.exec(raw)?.[1]?.toLowerCase();
  if (!hex) return null;
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const newest = await db.newsletterRecipient.findFirst({
    where: { subscriberId: id },
    orderBy: { issueId: 'desc' },
    select: { subscriberId: true, issueId: true },
  });
  return newest;
}
