import type { ReleaseItemRow } from '#app/releases/check-release.server.ts';
import { isSettingKey } from '#app/releases/check-release.server.ts';
import { readTexts, readTextUndo, type TextSnapshot, type Undo } from '#app/releases/item-changes.ts';
import type { PublicChange } from './public-change.server.ts';
import { writeTerm } from './save-term.server.ts';
import { termTable, type TermKind } from '#app/taxonomy/term-table.server.ts';

/**
 * Applies the changes of settings, categories and tags, inside the transaction that has claimed the release.
 * @param undo takes what each change found and wrote, as JSON by item
 */
export async function applyTexts(
  change: PublicChange,
  items: readonly ReleaseItemRow[],
  undo: Map<string, string>,
): Promise<void> {
  for (const item of items) {
    const texts = await (item.kind === 'setting' ? applySetting(change, item) : applyTerm(change, item));
    if (texts) undo.set(item.id, JSON.stringify(texts));
  }
  if (items.length > 0) change.affectsEveryPage();
}

async function applySetting(
  { tx, now }: PublicChange,
  item: ReleaseItemRow,
): Promise<Undo<TextSnapshot> | null> {
  const key = item.subjectId;
  if (!isSettingKey(key)) return null;
  const row = await tx.setting.findUnique({ where: { key } });
  const before = { value: row?.value ?? null };
  const after = wantedOf(item, before);
  if (!after || after.value === before.value || after.value === undefined) return null;
  const { value } = after;
  if (value === null) await tx.setting.deleteMany({ where: { key } });
  else
    await tx.setting.upsert({
      where: { key },
      create: { key, value, updatedAt: now },
      update: { value, updatedAt: now },
    });
  return { before, after: { value } };
}

async function applyTerm(change: PublicChange, item: ReleaseItemRow): Promise<Undo<TextSnapshot> | null> {
  const kind = item.kind as TermKind;
  const term = await termTable(change.tx, kind).findUnique({ where: { id: item.subjectId } });
  if (!term) return null;
  const before = { name: term.name, slug: term.slug, description: term.description };
  const wanted = wantedOf(item, before);
  if (!wanted) return null;
  const after = {
    name: wanted.name ?? before.name,
    slug: wanted.slug ?? before.slug,
    description: wanted.description ?? before.description,
  };
  await writeTerm(change, kind, term.id, after);
  return { before, after };
}

/** The texts that a change wants; of a rollback only those that are still as the other release left them. */
function wantedOf({ action, fields }: ReleaseItemRow, live: TextSnapshot): TextSnapshot | null {
  if (action === 'update') return readTexts(fields);
  const undo = action === 'restore' ? readTextUndo(fields) : null;
  if (!undo) return null;
  const names = Object.keys(undo.after).filter((name) => live[name] === undo.before[name]);
  return Object.fromEntries(names.map((name) => [name, undo.after[name] ?? null]));
}
