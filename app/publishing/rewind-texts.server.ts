import { randomUUID } from 'node:crypto';
import { inChunks } from '#app/platform/event-loop.server.ts';
import { readTarget, type TextKind } from '#app/releases/live-texts.server.ts';
import type { TextSnapshot } from '#app/releases/item-changes.ts';
import { termTable, type TermKind } from '#app/taxonomy/term-table.server.ts';
import { writeTexts } from './apply-release-texts.server.ts';
import { changePublicContent, type PublicChange, type PublishingContext } from './public-change.server.ts';
import { byTrigger } from './audit-post.server.ts';
import { followLanguages, languageKeys } from './site-settings.server.ts';
import { publishedPostsOf, termPath } from './terms.server.ts';
import type { RecordedTextChange, TagMerge } from './text-changes.server.ts';
import { readTermDetails } from './trash-item.ts';
import { bringTermBack, restoreTerm } from './trash-term.server.ts';

/** Posts per statement: databases limit how many values one may have. */
const CHUNK = 500;

/**
 * Takes settings, terms, authors and redirects of a copy back to an instant: what changed them since is undone, the
 * latest change first.
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
      if (recorded.kind === 'merged_tag') {
        await partTags(change, recorded, instant);
        continue;
      }
      const { kind, subjectId, texts } = recorded;
      if (kind === 'category' || kind === 'tag')
        await rewindTerm(change, { kind, id: subjectId, before: texts.before, instant });
      else if (await canStand(change, kind, texts.before)) {
        await writeTexts(change, kind, subjectId, texts.before);
        if (kind === 'author') await rewindUsername(change, subjectId, texts.before);
      }
    }
    if (later.some(({ subjectId }) => languageKeys.has(subjectId))) await followLanguages(change);
  });
}

/** Brings back categories and tags that were put into the trash after an instant, with the posts that had them. */
export async function rewindTrash(scratch: PublishingContext, instant: Date): Promise<void> {
  const items = await scratch.db.trashItem.findMany({
    where: { kind: { in: ['category', 'tag'] }, trashedAt: { gt: instant } },
    orderBy: [{ trashedAt: 'desc' }, { id: 'desc' }],
  });
  for (const { id, kind: named, details: json } of items) {
    const [kind, details] = [named as TermKind, readTermDetails(json)];
    if (!details || new Date(details.createdAt) > instant) continue;
    await changePublicContent(scratch, (change) =>
      freeTermSlug(change, { kind, id, slug: details.slug }, instant),
    );
    await restoreTerm(scratch, byTrigger, { kind, id });
  }
}

/** The redirects that a term left are undone by records of their own. */
async function rewindTerm(
  change: PublicChange,
  { kind, id, before, instant }: { kind: TermKind; id: string; before: TextSnapshot; instant: Date },
): Promise<void> {
  const { tx } = change;
  if (before.slug) await freeTermSlug(change, { kind, id, slug: before.slug }, instant);
  // Null is no text of a term.
  const data = Object.fromEntries(Object.entries(before).filter(([, text]) => text !== null));
  await termTable(tx, kind).updateMany({ where: { id }, data });
  if (before.name) change.affects(...(await publishedPostsOf(tx, kind, id)));
}

/** Brings a tag back that was merged into another one, which its posts had through that only. */
async function partTags(
  change: PublicChange,
  { subjectId: id, tag: details, doubled }: TagMerge,
  instant: Date,
): Promise<void> {
  await freeTermSlug(change, { kind: 'tag', id, slug: details.slug }, instant);
  const hadBoth = new Set(doubled);
  const moved = details.posts.flatMap(([postId]) => (hadBoth.has(postId) ? [] : [postId]));
  for (const postIds of inChunks(moved, CHUNK))
    await change.tx.postTag.deleteMany({ where: { tagId: details.heirId!, postId: { in: postIds } } });
  await bringTermBack(change, { kind: 'tag', id, details });
}

/**
 * A term that has taken the address since gets another one, and an entry of the trash no longer reserves it. A term that
 * did not exist yet is removed: a post's tags are found by their names.
 */
async function freeTermSlug(
  { tx }: PublicChange,
  { kind, id: termId, slug }: { kind: TermKind; id: string; slug: string },
  instant: Date,
): Promise<void> {
  const others = { slug, id: { not: termId } };
  await termTable(tx, kind).deleteMany({ where: { ...others, createdAt: { gt: instant } } });
  await termTable(tx, kind).updateMany({ where: others, data: { slug: `${slug}-${randomUUID()}` } });
  await tx.trashItem.deleteMany({ where: { path: termPath[kind](slug), id: { not: termId } } });
}

/** Only a command changes usernames, so no release does. Who took it since has another one in the copy. */
async function rewindUsername({ tx }: PublicChange, id: string, { username }: TextSnapshot): Promise<void> {
  if (!username) return;
  await tx.user.updateMany({
    where: { username, id: { not: id } },
    data: { username: `${username}-${randomUUID()}` },
  });
  await tx.user.updateMany({ where: { id }, data: { username } });
}

/** False for a redirect to something that was removed for good since. */
async function canStand({ tx }: PublicChange, kind: TextKind, { to }: TextSnapshot): Promise<boolean> {
  const target = kind === 'redirect' ? readTarget(to) : null;
  if (!target) return true;
  const where = { id: target.id };
  const found = await (target.kind === 'post'
    ? tx.post.findUnique({ where, select: { id: true } })
    : termTable(tx, target.kind).findUnique({ where, select: { id: true } }));
  return found !== null;
}
