import { randomUUID } from 'node:crypto';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { PublicChange, PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { addressFields } from '#app/publishing/post-row/addresses.server.ts';
import { pathBelow } from '#app/publishing/post-row/page-tree.server.ts';
import { movePagesBelow } from '#app/publishing/post-row/pages-below.server.ts';
import { POSTS_PER_STATEMENT } from '#app/publishing/post-row/claim-posts.server.ts';

/** The fields that tell where a post is among the others. */
export const placeNames = [...addressFields, 'translationOf'] as const;

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

/** What old addresses lead to: the columns of their rows, by path. */
type Redirects = ReadonlyMap<
  string,
  Pick<Prisma.RedirectGetPayload<object>, 'postId' | 'categoryId' | 'tagId'>
>;

/**
 * The old addresses that a site has recorded at an instant. The clock of a copy stands there, so these include all that
 * rewinding records.
 */
export async function redirectsRecordedAt(
  { db }: Pick<PublishingContext, 'db'>,
  instant: Date,
): Promise<Redirects> {
  const rows = await db.redirect.findMany({ where: { createdAt: instant } });
  return new Map(rows.map(({ path, postId, categoryId, tagId }) => [path, { postId, categoryId, tagId }]));
}

/**
 * Deletes the redirects from later addresses to former ones: at that instant nothing was there. Where there was a
 * redirect to something else, it leads there again.
 */
export async function forgetLaterAddresses(
  scratch: Pick<PublishingContext, 'db'>,
  instant: Date,
  recorded: Redirects,
): Promise<void> {
  const later: string[] = [];
  for (const [path, { postId }] of await redirectsRecordedAt(scratch, instant)) {
    const former = recorded.get(path);
    if (!former) later.push(path);
    else if (former.postId !== postId) await scratch.db.redirect.update({ where: { path }, data: former });
  }
  for (const chunk of inChunks(later, POSTS_PER_STATEMENT))
    await scratch.db.redirect.deleteMany({ where: { path: { in: chunk } } });
}
