import { z } from 'zod';
import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { parseJson } from '#app/platform/json.ts';
import { textUndo, type TextSnapshot } from '#app/releases/item-changes.ts';
import { textKinds } from '#app/releases/live-texts.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { termDetails } from './trash-item.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Content writes whose changes are kept. */
const KEPT = 5_000;

const textChange = z.object({
  kind: z.enum(textKinds),
  subjectId: z.string(),
  texts: textUndo,
});

/** What a content write changed of a setting, term, author or redirect: the texts that differ, before and after. */
export type TextChange = z.output<typeof textChange>;

const tagMerge = z.object({
  kind: z.literal('merged_tag'),
  subjectId: z.string(),
  /** As it was before; `heirId` is the other tag. */
  tag: termDetails,
  /** The posts that had both. */
  doubled: z.array(z.string()),
  intoName: z.string(),
});

/** A tag that was merged into another one. A server of an older version passes over the content write that did it. */
export type TagMerge = z.output<typeof tagMerge>;

const recordedChanges = z.array(z.union([textChange, tagMerge]));

/** A change and when it was made. */
export type RecordedTextChange = (TextChange | TagMerge) & { at: Date };

/** The texts that differ; null when none does. A text that is absent in `after` stays as it is. */
export function differenceOf(before: TextSnapshot, after: TextSnapshot): TextChange['texts'] | null {
  const names = Object.keys(after).filter(
    (name) => after[name] !== undefined && after[name] !== before[name],
  );
  if (names.length === 0) return null;
  const pick = (texts: TextSnapshot) => Object.fromEntries(names.map((name) => [name, texts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Records what a content write changed, in its transaction and in the order in which it changed it. */
export async function recordTextChanges(
  tx: Transaction,
  now: Date,
  changes: readonly (TextChange | TagMerge)[],
): Promise<void> {
  if (changes.length === 0) return;
  const id = newId({ now: () => now });
  await tx.textChange.create({ data: { id, changes: JSON.stringify(changes), changedAt: now } });
}

/** All recorded changes, oldest first. */
export async function readTextChanges({ db }: Pick<App, 'db'>): Promise<RecordedTextChange[]> {
  const rows = await db.textChange.findMany({ orderBy: [{ changedAt: 'asc' }, { id: 'asc' }] });
  return rows.flatMap(({ changes, changedAt: at }) => {
    const read = recordedChanges.safeParse(parseJson(changes)).data ?? [];
    return read.map((change) => ({ ...change, at }));
  });
}

/** Forgets recorded changes beyond their number, and those that are older than the revisions that are kept. */
export async function forgetTextChanges({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const oldest = await db.textChange.findFirst({ orderBy: { id: 'desc' }, skip: KEPT, select: { id: true } });
  if (oldest) await db.textChange.deleteMany({ where: { id: { lte: oldest.id } } });
  const days = await readSetting({ db }, 'revision_keep_days');
  if (days === 0) return;
  const cutOff = new Date(clock.now().getTime() - days * DAY_MS);
  await db.textChange.deleteMany({ where: { changedAt: { lt: cutOff } } });
}
