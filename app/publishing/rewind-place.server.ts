import { randomUUID } from 'node:crypto';
import { inChunks } from '#app/platform/event-loop.server.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { movePagesBelow } from './pages-below.server.ts';
import { pathBelow } from './page-tree.server.ts';
import { POSTS_PER_STATEMENT } from './posts-per-statement.ts';
import type { PublicChange, PublishingContext } from './public-change.server.ts';

/** The fields that tell where a post is among the others. */
export const placeNames = ['slug', 'type', 'parentId', 'translationOf'] as const;

/**
 * Prepares a copy of the site for a post's former place. What has the address by now gets another one; its own former
 * address follows when it is rewound.
 * @param requested the post's former fields
 * @returns them, without a parent that is gone
 */
export async function freeFormerPlace(
  change: PublicChange,
  postId: string,
  { before, requested }: { before: PostFields; requested: PostFields },
): Promise<PostFields> {
  const { tx } = change;
  const fields = { ...requested };
  if (fields.parentId !== null && fields.parentId !== before.parentId) {
    const parent = await tx.post.findUnique({ where: { id: fields.parentId, type: 'page' } });
    if (!parent) fields.parentId = before.parentId;
  }
  // The original was no translation then, as it may be by now, even of this post.
  if (fields.translationOf !== null && fields.translationOf !== before.translationOf)
    await tx.post.updateMany({ where: { id: fields.translationOf }, data: { translationOf: null } });
  const above = fields.type === 'page' ? await pathBelow(tx, { postId, parentId: fields.parentId }) : '';
  const slug = above + fields.slug;
  const holder = await tx.post.findUnique({ where: { slug }, select: { id: true } });
  if (fields.slug === '' || !holder || holder.id === postId) return fields;
  const free = `${slug}-${randomUUID()}`;
  await tx.post.update({ where: { id: holder.id }, data: { slug: free } });
  await movePagesBelow(change, holder.id, free);
  change.affects(holder.id);
  return fields;
}

/**
 * The old addresses that a site has recorded at an instant. The clock of a copy stands there, so these include all that
 * rewinding records.
 */
export async function pathsRecordedAt(
  { db }: Pick<PublishingContext, 'db'>,
  instant: Date,
): Promise<Set<string>> {
  const rows = await db.redirect.findMany({ where: { createdAt: instant }, select: { path: true } });
  return new Set(rows.map(({ path }) => path));
}

/** Deletes the redirects from later addresses to former ones: at that instant nothing was there. */
export async function forgetLaterAddresses(
  scratch: Pick<PublishingContext, 'db'>,
  instant: Date,
  recorded: ReadonlySet<string>,
): Promise<void> {
  const paths = [...(await pathsRecordedAt(scratch, instant))].filter((path) => !recorded.has(path));
  for (const chunk of inChunks(paths, POSTS_PER_STATEMENT))
    await scratch.db.redirect.deleteMany({ where: { path: { in: chunk } } });
}
