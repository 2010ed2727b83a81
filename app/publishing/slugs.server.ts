import type { Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { postPath } from '#app/posts/paths.ts';
import { TRASHED } from '#app/posts/states.ts';
import { freeSlug, toSlug } from '#app/platform/slug.ts';

/**
 * The slug that a post gets: the wanted one, or, when that is blank, one made from the title that nobody
 * has. Old addresses of other posts count as taken unless the editor takes them over.
 * @throws AppError `invalid_input` on `slug`.
 */
export async function claimSlug(
  tx: Transaction,
  claim: { postId: string; wanted: string; title: string; takeOverSlug?: boolean },
): Promise<string> {
  const { postId, wanted, title } = claim;
  if (wanted === '') return slugFromTitle(tx, postId, title);
  const holder = await tx.post.findUnique({
    where: { slug: wanted },
    select: { id: true, title: true, status: true },
  });
  if (holder && holder.id !== postId) {
    const place = holder.status === TRASHED ? ', which is in the trash' : '';
    throw taken(`The slug is used by “${holder.title}”${place}. Choose another.`);
  }
  const path = postPath(wanted);
  const redirect = await tx.redirect.findUnique({ where: { path }, include: { post: true } });
  if (redirect && redirect.postId !== postId && !claim.takeOverSlug)
    throw taken(
      `The slug is an old address of “${redirect.post?.title ?? path}”. Choose another, or take it over: its old links then lead here.`,
    );
  if (redirect) await tx.redirect.delete({ where: { path } });
  return wanted;
}

/** Leaves a permanent redirect from a post's old address. It names the post, so chains cannot arise. */
export async function leaveRedirect(
  tx: Transaction,
  postId: string,
  oldSlug: string,
  newSlug: string,
  now: Date,
): Promise<void> {
  if (oldSlug === newSlug) return;
  const path = postPath(oldSlug);
  await tx.redirect.upsert({
    where: { path },
    create: { path, postId, createdAt: now },
    update: { postId, categoryId: null, tagId: null },
  });
}

async function slugFromTitle(tx: Transaction, postId: string, title: string): Promise<string> {
  const base = toSlug(title) || 'post';
  const posts = await tx.post.findMany({
    where: { slug: { startsWith: base }, id: { not: postId } },
    select: { slug: true },
  });
  const redirects = await tx.redirect.findMany({
    where: { path: { startsWith: postPath(base) }, NOT: { postId } },
    select: { path: true },
  });
  const taken = new Set([...posts.map(({ slug }) => postPath(slug)), ...redirects.map(({ path }) => path)]);
  return freeSlug(base, (slug) => taken.has(postPath(slug)));
}

function taken(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { slug: [message] } });
}
