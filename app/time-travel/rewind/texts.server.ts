import { randomUUID } from 'node:crypto';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { Db } from '#app/platform/services.ts';
import { trashEntries, trashedId } from '#app/platform/trash-key.ts';
import { termPath } from '#app/posts/paths.ts';
import { termTable, type TermKind } from '#app/posts/terms/find.server.ts';
import {
  type PublicChange,
  changePublicContent,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import {
  type RestoredTerm,
  type TagMerge,
  type TermChange,
  type TrashedTerm,
  readChangesSince,
  type RecordedTextChange,
} from '#app/publishing/change/text-changes.server.ts';
import { readTermDetails } from '#app/publishing/change/trash-item.ts';
import { hasTarget, writeTexts } from '#app/publishing/releases/apply-texts.server.ts';
import { moveToLanguageLists, languageKeys } from '#app/publishing/settings/change.server.ts';
import { moveTermAddresses, publishedPostsOf } from '#app/publishing/terms/save.server.ts';
import { POSTS_PER_STATEMENT, recreateTerm } from '#app/publishing/terms/trash.server.ts';
import type { TextSnapshot } from '#app/releases/items.ts';

/** Undoes, in a copy of the site, that a term was merged, put into the trash or restored after an instant. */
async function rewindTermChange(change: PublicChange, recorded: TermChange, instant: Date): Promise<void> {
  if (recorded.kind === 'merged_tag') await unmergeTag(change, recorded, instant);
  else if (recorded.kind === 'trashed_term') await restoreTrashed(change, recorded, instant);
  else await undoRestore(change, recorded);
}

/** Gives a term its former texts. Its new redirects are undone by records of their own. */
async function rewindTermTexts(
  change: PublicChange,
  { kind, id, before, instant }: { kind: TermKind; id: string; before: TextSnapshot; instant: Date },
): Promise<void> {
  const { tx } = change;
  if (before.slug) await freeTermSlug(change, { kind, id, slug: before.slug }, instant);
  // A term has no text that is null.
  const data = Object.fromEntries(Object.entries(before).filter(([, text]) => text !== null));
  await termTable(tx, kind).updateMany({ where: { id }, data });
  if (before.name) change.affects(...(await publishedPostsOf(tx, kind, id)));
}

/** Restores a tag that was merged into another one. Removes the other tag from posts that had only this one. */
async function unmergeTag(
  change: PublicChange,
  { subjectId: id, tag: details, doubled }: TagMerge,
  instant: Date,
): Promise<void> {
  const hadBoth = new Set(doubled);
  const moved = details.posts.flatMap(([postId]) => (hadBoth.has(postId) ? [] : [postId]));
  for (const postIds of inChunks(moved, POSTS_PER_STATEMENT))
    await change.tx.postTag.deleteMany({ where: { tagId: details.heirId!, postId: { in: postIds } } });
  // Its address may have led elsewhere before it was created.
  if (new Date(details.createdAt) > instant) return;
  await freeTermSlug(change, { kind: 'tag', id, slug: details.slug }, instant);
  await recreateTerm(change, { kind: 'tag', id, details });
}

/** Restores a term that was put into the trash, on the posts that had it. */
async function restoreTrashed(
  change: PublicChange,
  { subjectId: id, termKind: kind, term: details }: TrashedTerm,
  instant: Date,
): Promise<void> {
  if (new Date(details.createdAt) > instant) return;
  await freeTermSlug(change, { kind, id, slug: details.slug }, instant);
  await change.tx.trashItem.deleteMany({ where: trashEntries(kind, id) });
  await recreateTerm(change, { kind, id, details });
}

/** Removes a term that was restored from the trash. Its posts have the same terms again as before. */
async function undoRestore(
  change: PublicChange,
  { subjectId, termKind: kind, term, as, posts }: RestoredTerm,
): Promise<void> {
  const { tx } = change;
  change.affects(...(await publishedPostsOf(tx, kind, as.id)));
  const heirId = kind === 'category' ? await existingId(change, kind, term.heirId) : null;
  for (const chunk of inChunks(posts, POSTS_PER_STATEMENT)) {
    const ids = chunk.map(([id]) => id);
    if (kind === 'tag') await tx.postTag.deleteMany({ where: { tagId: as.id, postId: { in: ids } } });
    else {
      const ofHeir = chunk.flatMap(([id, categoryId]) => (categoryId === null ? [] : [id]));
      const having = { categoryId: as.id };
      await tx.post.updateMany({ where: { id: { in: ofHeir }, ...having }, data: { categoryId: heirId } });
      await tx.post.updateMany({ where: { id: { in: ids }, ...having }, data: { categoryId: null } });
    }
  }
  if (as.id !== subjectId) return;
  if (heirId !== null) await moveTermAddresses(change, kind, { id: subjectId, slug: term.slug }, heirId);
  await termTable(tx, kind).deleteMany({ where: { id: subjectId } });
}

async function existingId({ tx }: PublicChange, kind: TermKind, id: string | null): Promise<string | null> {
  if (id === null) return null;
  return (await termTable(tx, kind).findUnique({ where: { id }, select: { id: true } }))?.id ?? null;
}

/**
 * Frees a former address of a term. Another term that has it now gets another address, and an entry of the trash no
 * longer reserves it. A term that did not exist then is removed: a post's tags are found by their names.
 */
async function freeTermSlug(
  { tx }: PublicChange,
  { kind, id: termId, slug }: { kind: TermKind; id: string; slug: string },
  instant: Date,
): Promise<void> {
  const others = { slug, id: { not: termId } };
  await termTable(tx, kind).deleteMany({ where: { ...others, createdAt: { gt: instant } } });
  await termTable(tx, kind).updateMany({ where: others, data: { slug: `${slug}-${randomUUID()}` } });
  await tx.trashItem.deleteMany({ where: { path: termPath[kind](slug), NOT: trashEntries(kind, termId) } });
}

/** All recorded changes, oldest first. */
export async function readTextChanges({ db }: Db): Promise<RecordedTextChange[]> {
  const recorded = await readChangesSince({ db }, new Date(0));
  const trashed = await readUnrecordedTrash({ db }, recorded);
  return [...trashed, ...recorded].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Terms that an older version put into the trash. Their only record is the entry in the trash. */
async function readUnrecordedTrash(
  { db }: Db,
  recorded: readonly RecordedTextChange[],
): Promise<RecordedTextChange[]> {
  const recordedTrash = new Set(
    recorded.flatMap(({ kind, subjectId, at }) =>
      kind === 'trashed_term' ? [`${subjectId} ${at.getTime()}`] : [],
    ),
  );
  const items = await db.trashItem.findMany({ where: { kind: { in: ['category', 'tag'] } } });
  return items.flatMap(({ id, kind, details, trashedAt: at }) => {
    const subjectId = trashedId(id);
    const term = readTermDetails(details);
    if (!term || recordedTrash.has(`${subjectId} ${at.getTime()}`)) return [];
    return [{ kind: 'trashed_term' as const, subjectId, termKind: kind as TermKind, term, at }];
  });
}

/**
 * Takes settings, terms, authors and redirects of a copy back to an instant, by undoing the later changes in reverse
 * order.
 * @param later the recorded changes after the instant, oldest first
 */
export async function rewindTexts(
  scratch: PublishingContext,
  instant: Date,
  later: readonly RecordedTextChange[],
): Promise<void> {
  if (later.length === 0) return;
  await changePublicContent(scratch, async (change) => {
    change.affectsEveryPage();
    for (const recorded of later.toReversed()) {
      if (!('texts' in recorded)) {
        await rewindTermChange(change, recorded, instant);
        continue;
      }
      const { kind, subjectId, texts } = recorded;
      const { since } = texts.before;
      if (kind === 'category' || kind === 'tag')
        await rewindTermTexts(change, { kind, id: subjectId, before: texts.before, instant });
      // A redirect that was made after the instant. An earlier record tells what was there before it, if anything was.
      else if (kind === 'redirect' && since && new Date(since) > instant)
        await writeTexts(change, kind, subjectId, { to: null });
      else if (await hasTarget(change, kind, texts.before)) {
        await writeTexts(change, kind, subjectId, texts.before);
        if (kind === 'author') await rewindUsername(change, subjectId, texts.before);
      }
    }
    if (later.some(({ subjectId }) => languageKeys.has(subjectId))) await moveToLanguageLists(change);
  });
}

/**
 * Restores a username. An account that has taken the name since gets another one in the copy. Only a command changes
 * usernames, so releases need not do this.
 */
async function rewindUsername({ tx }: PublicChange, id: string, { username }: TextSnapshot): Promise<void> {
  if (!username) return;
  await tx.user.updateMany({
    where: { username, id: { not: id } },
    data: { username: `${username}-${randomUUID()}` },
  });
  await tx.user.updateMany({ where: { id }, data: { username } });
}
