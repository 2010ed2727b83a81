import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImapFlow } from 'imapflow';
import { takeOne } from '#app/newsletter/limits.server.ts';
import { suspend, unsubscribe } from '#app/newsletter/subscribers.server.ts';
import { messageOf, invalidInput } from '#app/platform/errors.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';
import { readReport, type Report } from './report.ts';

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

const ANSWER_MS = 10_000;
/** Of each mail so much is read. */
const MESSAGE_BYTES = 1_000_000;

interface ImapServer {
  host: string;
  port: number;
  user: string;
  pass: string;
}

/**
 * Passes mails of the inbox that nobody has read to `handle`, at most `max`. Each is marked as read once it is handled.
 * @throws an error with the server's words
 */
export async function readUnseen(
  server: ImapServer,
  max: number,
  handle: (raw: string) => Promise<unknown>,
): Promise<void> {
  const client = await clientFor(server);
  // Of a broken connection, the command in progress only says that there is none.
  let failure: Error | undefined;
  client.on('error', (error) => (failure ??= error));
  try {
    await client.connect();
    await client.mailboxOpen('INBOX');
    const unseen = await client.search({ seen: false }, { uid: true });
    if (!unseen) throw new Error('The IMAP server did not search the inbox.');
    for (const id of unseen.slice(0, max)) {
      const uid = String(id);
      const mail = await client.fetchOne(uid, { source: { maxLength: MESSAGE_BYTES } }, { uid: true });
      // Somebody deleted it meanwhile.
      if (!mail || !mail.source) continue;
      await handle(mail.source.toString('latin1'));
      const isMarked = await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true, silent: true });
      if (!isMarked) throw failure ?? new Error('The IMAP server did not mark a mail as read.');
    }
  } catch (error) {
    const { responseText } = error as { responseText?: string };
    throw responseText ? new Error(responseText.slice(0, 300), { cause: error }) : (failure ?? error);
  } finally {
    client.close();
  }
}

async function clientFor({ host, port, user, pass }: ImapServer): Promise<ImapFlow> {
  // Few sites have a bounce mailbox; the others need not load the client.
  const { ImapFlow } = await import('imapflow');
  const secure = port === 993;
  const isLocal = /^(localhost|127\.[\d.]+|::1)$/.test(host);
  return new ImapFlow({
    host,
    port,
    secure,
    // A password leaves this host only within TLS.
    doSTARTTLS: !secure && !isLocal,
    auth: { user, pass },
    ...{ logger: false, disableAutoIdle: true, disableAutoEnable: true, disableCompression: true },
    ...{ connectionTimeout: ANSWER_MS, greetingTimeout: ANSWER_MS, socketTimeout: ANSWER_MS },
    maxLiteralSize: 2 * MESSAGE_BYTES,
    maxResponseSize: 2 * MESSAGE_BYTES + 10_000,
  });
}

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

const FILES_MAX = 10_000;

/** What a mail of the bounce mailbox would do to the person whose mail it is about. */
type Consequence = 'suspend' | 'unsubscribe' | 'fail' | 'nothing';

export interface TriedReports {
  suspend: number;
  unsubscribe: number;
  /** The mail counts as failed; the person stays. */
  fail: number;
  nothing: number;
  files: { file: string; would: Consequence; status: string; words: string }[];
}

/** Reads a folder of mails as if they were in the bounce mailbox, and changes nothing. */
export async function tryReports(folder: string): Promise<TriedReports> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) throw invalidInput(`There is no folder ${folder}.`);
  const names = entries.filter((entry) => entry.isFile() && !/^\.|\.json$/.test(entry.name));
  if (names.length > FILES_MAX) throw invalidInput(`The folder has more than ${FILES_MAX} files.`);
  const result: TriedReports = { suspend: 0, unsubscribe: 0, fail: 0, nothing: 0, files: [] };
  for (const file of names.map(({ name }) => name).sort()) {
    const raw = (await readFile(path.join(folder, file))).subarray(0, MESSAGE_BYTES).toString('latin1');
    const report = readReport(raw);
    const would = consequenceOf(report);
    const { status = '', words = '' } = report.kind === 'bounce' ? report.refusal : {};
    result[would] += 1;
    result.files.push({ file, would, status, words });
  }
  return result;
}

/** What a report means for its person. */
function consequenceOf(report: Report): Consequence {
  if (report.kind === 'complaint') return 'unsubscribe';
  if (report.kind === 'none' || report.refusal.kind === 'temporary') return 'nothing';
  return report.refusal.kind === 'address' ? 'suspend' : 'fail';
}
