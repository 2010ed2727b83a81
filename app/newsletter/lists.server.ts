import { open, readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { isAppError, messageOf, invalidInput } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { line, toStorable } from '#app/platform/text/schemas.ts';
import { supportedLanguage } from '#app/platform/text/languages.ts';
import type { SubscriberState } from './states.ts';
import { addressSchema, keyOf, newSubscriber, type Subscriber } from './subscribers.server.ts';

const FILE_BYTES = 200_000_000;
const RECORD_CHARACTERS = 100_000;
const ROWS_AT_ONCE = 100;

/** What an import reports. */
export interface ListImport {
  imported: number;
  updated: number;
  unchanged: number;
  skipped: { line: number; reason: string }[];
}

/** A line of a list, whatever program wrote it. */
interface ListRow {
  line: number;
  email: string;
  name: string;
  state: SubscriberState;
  reason: string;
  language: string;
  consentAt: Date | null;
  createdAt: Date | null;
}

interface UnusableLine {
  line: number;
  /** Why. */
  unusable: string;
}

/**
 * Imports a list of Ghost, Substack, Mailchimp, Buttondown, listmonk or our own. Who has unsubscribed, bounced or was
 * erased here stays so; who has there is not mailed either.
 * @param acceptConsent take people without a date of consent: the operator has it elsewhere
 */
export async function importList(
  app: Timed,
  file: string,
  { acceptConsent }: { acceptConsent: boolean },
): Promise<ListImport> {
  const report: ListImport = { imported: 0, updated: 0, unchanged: 0, skipped: [] };
  const rows = await readList(file);
  for (const chunk of inChunks(rows, ROWS_AT_ONCE))
    await inTransaction(app.db, async (tx) => {
      for (const row of chunk) {
        const outcome =
          'unusable' in row ? { reason: row.unusable } : await importRow(app, tx, row, acceptConsent);
        if (typeof outcome === 'string') report[outcome] += 1;
        else report.skipped.push({ line: row.line, reason: outcome.reason });
      }
    });
  return report;
}

async function importRow(
  app: Timed,
  tx: Prisma.TransactionClient,
  row: ListRow,
  acceptConsent: boolean,
): Promise<'imported' | 'updated' | 'unchanged' | { reason: string }> {
  const now = app.clock.now();
  const known = await tx.subscriber.findUnique({ where: { emailKey: keyOf(row.email) } });
  const consentAt = row.consentAt ?? (acceptConsent ? now : null);
  if (row.state === 'active' && consentAt === null && known?.state !== 'active')
    return { reason: 'No date of consent. Repeat with --accept-consent if you have their consent.' };
  if (known) {
    const changes = changesOf(known, row, consentAt);
    if (Object.keys(changes).length === 0) return 'unchanged';
    const stateAt = changes.state ? { stateAt: now } : {};
    await tx.subscriber.update({ where: { id: known.id }, data: { ...changes, ...stateAt, updatedAt: now } });
    return 'updated';
  }
  const emailHash = sha256Of(keyOf(row.email));
  if (await tx.subscriberErasure.findUnique({ where: { emailHash } }))
    return { reason: 'This person had their data erased.' };
  const { email, name, state, reason, language, createdAt } = row;
  await tx.subscriber.create({
    data: {
      ...newSubscriber(app, email, state),
      ...{
        name,
        reason,
        language,
        source: 'import',
        consentAt: state === 'active' ? consentAt : row.consentAt,
      },
      ...(createdAt && { createdAt }),
    },
  });
  return 'imported';
}

/** What a list changes of a person on ours. It makes nobody active who has ended the subscription or bounced here. */
function changesOf(known: Subscriber, row: ListRow, consentAt: Date | null): Partial<Subscriber> {
  const changes: Partial<Subscriber> = {};
  const ends = row.state === 'unsubscribed' || row.state === 'suspended';
  if (known.state === 'active' || known.state === 'pending') {
    if (ends || (known.state === 'pending' && row.state === 'active'))
      Object.assign(changes, { state: row.state, reason: row.reason });
  }
  if (row.name !== '' && known.name === '') changes.name = row.name;
  if (known.consentAt === null && consentAt !== null && row.state === 'active') changes.consentAt = consentAt;
  return changes;
}

/** The lines of a file, each as a person or with what is wrong with it. */
async function readList(file: string): Promise<(ListRow | UnusableLine)[]> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => null,
  );
  if (size === null) throw invalidInput(`There is no file ${file}.`);
  if (size > FILE_BYTES) throw invalidInput('The file is larger than 200 MB. Split it.');
  const seen = new Set<string>();
  return parseList(toStorable(await readFile(file, 'utf8'))).map(({ record, info }) => {
    const row = rowOf(record, info.lines);
    if ('unusable' in row) return row;
    if (seen.has(keyOf(row.email)))
      return { line: info.lines, unusable: 'The address is in the file twice.' };
    seen.add(keyOf(row.email));
    return row;
  });
}

interface ParsedLine {
  record: Record<string, string>;
  info: { lines: number };
}

function parseList(text: string): ParsedLine[] {
  try {
    const records = parse<ParsedLine>(text, {
      ...{ bom: true, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
      columns: (names: string[]) => names.map(columnName),
      max_record_size: RECORD_CHARACTERS,
    });
    if (records[0] && !('email' in records[0].record) && !('emailaddress' in records[0].record))
      throw invalidInput('The file has no column "email".');
    return records;
  } catch (error) {
    if (isAppError(error)) throw error;
    throw invalidInput(`This is not a CSV file: ${messageOf(error)}`);
  }
}

const columnName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function rowOf(record: Record<string, string>, lineNumber: number): ListRow | UnusableLine {
  const value = (...names: string[]) =>
    names.map((name) => withoutGuard(record[name]?.trim() ?? '')).find(Boolean) ?? '';
  const email = addressSchema.safeParse(value('email', 'emailaddress'));
  if (!email.success) return { line: lineNumber, unusable: 'This is not an email address.' };
  const full = value('name') || `${value('firstname')} ${value('lastname')}`.trim();
  const name = line(200, 'Name').safeParse(full.replace(UNSEEN, ''));
  if (!name.success) return { line: lineNumber, unusable: 'The name is too long or cannot be stored.' };
  const createdAt = timeOf(value('createdat', 'creationdate', 'created', 'subscribedat'));
  return {
    ...{ line: lineNumber, email: email.data, name: name.data },
    ...stateOf(value),
    language: supportedLanguage(value('language', 'locale')) ?? '',
    consentAt:
      timeOf(value('consentat', 'confirmtime', 'confirmedat', 'optintime', 'consentdate')) ?? createdAt,
    createdAt,
  };
}

const yes = /^(true|yes|1|y)$/i;
const no = /^(false|no|0|n)$/i;

/** The state in each program's own words. */
function stateOf(value: (...names: string[]) => string): { state: SubscriberState; reason: string } {
  const words = value(
    'status',
    'state',
    'subscribertype',
    'type',
    'subscriptionstatus',
    'liststatus',
  ).toLowerCase();
  const bounced =
    value('cleantime', 'undeliverabilitydate', 'bouncedat', 'suspendedat') !== '' ||
    /clean|bounc|undeliver|suspend|blocklist|blacklist|disabled|complain/.test(words);
  if (bounced) return { state: 'suspended', reason: value('reason', 'undeliverabilityreason').slice(0, 500) };
  const ended =
    value('unsubtime', 'unsubscribedat', 'unsubscriptiondate', 'deletedat') !== '' ||
    /unsub|removed|opt.?out/.test(words) ||
    no.test(value('subscribedtoemails', 'subscribed')) ||
    yes.test(value('emaildisabled'));
  if (ended) return { state: 'unsubscribed', reason: '' };
  return { state: /pending|unconfirmed|unactivated/.test(words) ? 'pending' : 'active', reason: '' };
}

function timeOf(text: string): Date | null {
  // Some programs write no zone: it is UTC.
  const spelled = /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const at = Date.parse(spelled);
  return text === '' || Number.isNaN(at) || at < 0 || at > Date.UTC(9998, 0) ? null : new Date(at);
}

const exported = [
  ...(['email', 'name', 'state', 'reason', 'frequency', 'categories', 'language', 'source'] as const),
  ...(['consentAt', 'createdAt'] as const),
];

/** Writes the whole list. Only its owner may read the file. @returns how many people it has */
export async function exportList({ db }: Pick<Timed, 'db'>, file: string): Promise<{ count: number }> {
  const output = await open(file, 'w', 0o600);
  let count = 0;
  try {
    const names = exported.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    await output.write(`${names.join(',')}\n`);
    for (let after = ''; ;) {
      const rows = await db.subscriber.findMany({
        where: { id: { gt: after } },
        orderBy: { id: 'asc' },
        take: 500,
      });
      if (rows.length === 0) return { count };
      await output.write(
        rows.map((row) => `${exported.map((name) => cell(row[name])).join(',')}\n`).join(''),
      );
      count += rows.length;
      after = rows.at(-1)!.id;
    }
  } finally {
    await output.close();
  }
}

/** What a spreadsheet would run as a formula, also after spaces and in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r\n]/;
/** Control characters, and signs that change the order of others. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Undoes what our own export does with a formula. */
const withoutGuard = (text: string) => (FORMULA.test(text.slice(1)) ? text.replace(/^'/, '') : text);

function cell(value: string | Date | null): string {
  const text = value instanceof Date ? value.toISOString() : (value ?? '');
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
