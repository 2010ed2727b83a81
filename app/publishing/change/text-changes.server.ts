import * as z from 'zod';
import { newId } from '#app/platform/clock.ts';
import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { inSteps, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { parseJson } from '#app/platform/json.ts';
import type { Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { textUndo, type TextSnapshot } from '#app/releases/items.ts';
import { textKinds } from '#app/releases/live-texts.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { termDetails } from './trash-item.ts';

/** Number of content writes whose changes are kept. */
const KEPT = 5_000;

const textChange = z.object({ kind: z.enum(textKinds), subjectId: z.string(), texts: textUndo });

/** The change of a setting, term, author or redirect by a content write: the texts that differ, before and after. */
export type TextChange = z.output<typeof textChange>;

const tagMerge = z.object({
  kind: z.literal('merged_tag'),
  subjectId: z.string(),
  /** The merged tag before the change; `heirId` is the other tag. */
  tag: termDetails,
  /** The posts that had both. */
  doubled: z.array(z.string()),
  intoName: z.string(),
});

const trashedTerm = z.object({
  kind: z.literal('trashed_term'),
  subjectId: z.string(),
  termKind: z.enum(['category', 'tag']),
  /** The term before the change. */
  term: termDetails,
});

const restoredTerm = z.object({
  kind: z.literal('restored_term'),
  subjectId: z.string(),
  termKind: z.enum(['category', 'tag']),
  /** The term when it was put into the trash. */
  term: termDetails,
  /** The term that the posts got: another one if that one had the slug. */
  as: z.object({ id: z.string(), name: z.string() }),
  /** The posts that got it, each with its category before. */
  posts: z.array(z.tuple([z.string(), z.string().nullable()])),
});

/** A change of a whole term. An older version of the server ignores the changes of that content write. */
const termChange = z.discriminatedUnion('kind', [tagMerge, trashedTerm, restoredTerm]);
export type TagMerge = z.output<typeof tagMerge>;
export type TrashedTerm = z.output<typeof trashedTerm>;
export type RestoredTerm = z.output<typeof restoredTerm>;
export type TermChange = z.output<typeof termChange>;

const recordedChanges = z.array(z.union([textChange, termChange]));

/** A change and when it was made. */
export type RecordedTextChange = (TextChange | TermChange) & { at: Date };

/** The texts that differ; null when none does. A text that is absent in `after` stays unchanged. */
export function differenceOf(before: TextSnapshot, after: TextSnapshot): TextChange['texts'] | null {
  const names = Object.keys(after).filter(
    (name) => after[name] !== undefined && after[name] !== before[name],
  );
  if (names.length === 0) return null;
  const pick = (texts: TextSnapshot) => Object.fromEntries(names.map((name) => [name, texts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Records the changes of a content write, in its transaction and in their order. */
export async function recordTextChanges(
  tx: Transaction,
  now: Date,
  changes: readonly (TextChange | TermChange)[],
): Promise<void> {
  if (changes.length === 0) return;
  // Added to the row of the same millisecond if there is one: ids of one millisecond are in no order.
  const same = await tx.textChange.findFirst({ where: { changedAt: now }, orderBy: { id: 'desc' } });
  const earlier = z.array(z.unknown()).safeParse(parseJson(same?.changes ?? '[]')).data ?? [];
  const data = { changes: JSON.stringify([...earlier, ...changes]), changedAt: now };
  if (same) await tx.textChange.update({ where: { id: same.id }, data });
  else await tx.textChange.create({ data: { id: newId({ now: () => now }), ...data } });
}

const oldestFirst = [
  { changedAt: 'asc' },
  { id: 'asc' },
] satisfies Prisma.TextChangeOrderByWithRelationInput[];

/** The changes since an instant, oldest first. */
export async function readChangesSince(
  { db }: { db: Pick<Transaction, 'textChange'> },
  since: Date,
): Promise<RecordedTextChange[]> {
  const rows = await db.textChange.findMany({
    where: { changedAt: { gte: since } },
    orderBy: oldestFirst,
    select: { id: true },
  });
  const read = await inSteps(rows, TEXTS_A_STEP, (chunk) =>
    db.textChange.findMany({ where: { id: { in: chunk.map(({ id }) => id) } }, orderBy: oldestFirst }),
  );
  return read.flatMap(readRow);
}

function readRow({ changes, changedAt: at }: { changes: string; changedAt: Date }): RecordedTextChange[] {
  const read = recordedChanges.safeParse(parseJson(changes)).data ?? [];
  return read.map((change) => ({ ...change, at }));
}

/** Deletes recorded changes beyond their number, and those older than the revisions that are kept. */
export async function forgetTextChanges({ db, clock }: Timed): Promise<void> {
  const oldest = await db.textChange.findFirst({ orderBy: { id: 'desc' }, skip: KEPT, select: { id: true } });
  if (oldest) await db.textChange.deleteMany({ where: { id: { lte: oldest.id } } });
  const days = await readSetting({ db }, 'revision_keep_days');
  if (days === 0) return;
  const before = new Date(clock.now().getTime() - days * DAY_MS);
  await db.textChange.deleteMany({ where: { changedAt: { lt: before } } });
}
