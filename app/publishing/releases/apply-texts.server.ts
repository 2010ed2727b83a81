import { oneOf } from '#app/platform/narrow.ts';
import { checkSiteAddresses } from '#app/posts/addresses/check-site-addresses.server.ts';
import { termTable } from '#app/posts/terms/find.server.ts';
import { updatePostsOfAuthor } from '#app/publishing/accounts/change.server.ts';
import { type PublicChange, writeRedirect } from '#app/publishing/change/public-change.server.ts';
import {
  moveToLanguageLists,
  keepOldPostsPath,
  languageKeys,
  writeSetting,
} from '#app/publishing/settings/change.server.ts';
import { writeTerm } from '#app/publishing/terms/save.server.ts';
import {
  readTexts,
  readTextUndo,
  type TextSnapshot,
  type Undo,
  type ReleaseItemRow,
} from '#app/releases/items.ts';
import { readLiveTexts, readTarget, type TextKind, textKinds } from '#app/releases/live-texts.server.ts';
import { isSettingKey } from '#app/releases/release.ts';
import { postsPathOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** New texts of one setting, term, author or redirect. */
interface TextChange {
  itemId: string;
  kind: TextKind;
  subjectId: string;
  texts: Undo<TextSnapshot>;
}

/**
 * Applies the changes of settings, categories, tags, authors and redirects, inside the transaction that has claimed the
 * release.
 * @param undo gets the texts of each change before and after, as JSON by item
 * @throws AppError `invalid_input` for settings that now contradict each other or a page
 */
export async function applyTexts(
  change: PublicChange,
  items: readonly ReleaseItemRow[],
  undo: Map<string, string>,
): Promise<void> {
  const changes: TextChange[] = [];
  for (const item of items) {
    const kind = oneOf(textKinds, item.kind);
    const before = await readLiveTexts(change.tx, kind, item.subjectId);
    const newTexts = before && wantedTexts(item, before);
    if (!newTexts || !(await hasTarget(change, kind, newTexts))) continue;
    const after = { ...before, ...newTexts };
    const isSame = Object.keys(after).every((name) => after[name] === before[name]);
    if (!isSame) changes.push({ itemId: item.id, kind, subjectId: item.subjectId, texts: { before, after } });
  }
  const settings = changes.filter(({ kind }) => kind === 'setting');
  const siteBefore = await readSettings({ db: change.tx });
  await checkSiteAddresses(
    change.tx,
    siteBefore,
    Object.fromEntries(
      settings.flatMap(({ subjectId, texts }) =>
        isSettingKey(subjectId) && texts.after.value !== null ? [[subjectId, texts.after.value]] : [],
      ),
    ),
  );
  for (const { itemId, kind, subjectId, texts } of changes) {
    await writeTexts(change, kind, subjectId, texts.after);
    undo.set(itemId, JSON.stringify(texts));
  }
  if (settings.some(({ subjectId }) => languageKeys.has(subjectId))) await moveToLanguageLists(change);
  if (settings.length > 0) await keepOldPostsPath(change, postsPathOf(siteBefore));
  if (items.length > 0) change.affectsEveryPage();
}

/**
 * Writes the texts of one setting, term, author or redirect with their consequences. Does not create it again if it was
 * deleted.
 */
export async function writeTexts(
  change: PublicChange,
  kind: TextKind,
  subjectId: string,
  texts: TextSnapshot,
): Promise<void> {
  const { tx, now } = change;
  switch (kind) {
    case 'setting': {
      if (isSettingKey(subjectId)) await writeSetting(change, subjectId, texts.value ?? null);
      return;
    }
    case 'author': {
      const before = await tx.user.findUnique({ where: { id: subjectId } });
      if (!before) return;
      const profile = {
        displayName: texts.displayName,
        bio: texts.bio,
        picture: texts.picture,
        links: texts.links,
      };
      const named = Object.entries(profile).filter(([, text]) => typeof text === 'string');
      const after = await tx.user.update({
        where: { id: subjectId },
        data: { ...(Object.fromEntries(named) as Record<string, string>), updatedAt: now },
      });
      return updatePostsOfAuthor(change, before, after);
    }
    case 'redirect': {
      return writeRedirect(change, subjectId, readTarget(texts.to));
    }
    default: {
      const live = await readLiveTexts(tx, kind, subjectId);
      if (!live) return;
      const { name, slug, description, picture } = { ...live, ...texts } as Record<string, string>;
      const fields = { name: name!, slug: slug!, description: description!, picture: picture ?? '' };
      return writeTerm(change, kind, subjectId, fields);
    }
  }
}

/** False for a redirect whose target was deleted for good since. */
export async function hasTarget(
  { tx }: PublicChange,
  kind: TextKind,
  { to }: TextSnapshot,
): Promise<boolean> {
  const target = kind === 'redirect' ? readTarget(to) : null;
  if (!target) return true;
  const where = { id: target.id };
  const row = await (target.kind === 'post'
    ? tx.post.findUnique({ where, select: { id: true } })
    : termTable(tx, target.kind).findUnique({ where, select: { id: true } }));
  return row !== null;
}

/** The texts that a change sets. A rollback sets only those that have not changed since the other release. */
export function wantedTexts({ action, fields }: ReleaseItemRow, live: TextSnapshot): TextSnapshot | null {
  if (action === 'update') return readTexts(fields);
  const undo = action === 'restore' ? readTextUndo(fields) : null;
  if (!undo) return null;
  const names = Object.keys(undo.after).filter((name) => live[name] === undo.before[name]);
  return Object.fromEntries(names.map((name) => [name, undo.after[name] ?? null]));
}
