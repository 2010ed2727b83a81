import type { Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { categoryPath, tagPath } from '#app/posts/paths.ts';
import { termTable, type TermKind } from '#app/taxonomy/term-table.server.ts';

export const termPath = { category: categoryPath, tag: tagPath } as const;
const redirectTarget = { category: 'categoryId', tag: 'tagId' } as const;

/** @throws AppError `not_found`. */
export async function requireTerm(tx: Transaction, kind: TermKind, id: string) {
  const term = await termTable(tx, kind).findUnique({ where: { id } });
  if (!term) throw new AppError('not_found', `This ${kind} no longer exists.`);
  return term;
}

/** Ids of a term's posts whose readers and search see it. */
export async function publishedPostsOf(tx: Transaction, kind: TermKind, id: string): Promise<string[]> {
  const having = kind === 'category' ? { categoryId: id } : { tags: { some: { tagId: id } } };
  const posts = await tx.post.findMany({ where: { ...having, status: 'published' }, select: { id: true } });
  return posts.map((post) => post.id);
}

/**
 * Makes sure that a slug is free. An old address of another term is taken over: what lives there now
 * comes first.
 * @throws AppError `invalid_input` on `slug`.
 */
export async function claimTermSlug(
  tx: Transaction,
  kind: TermKind,
  termId: string,
  slug: string,
): Promise<void> {
  const holder = await termTable(tx, kind).findUnique({ where: { slug } });
  if (holder && holder.id !== termId) {
    const message = `The slug is used by the ${kind} “${holder.name}”. Choose another.`;
    throw new AppError('invalid_input', message, { fields: { slug: [message] } });
  }
  const path = termPath[kind](slug);
  const trashed = await tx.trashItem.findFirst({ where: { path, id: { not: termId } } });
  if (trashed) {
    const message = `The slug belongs to the ${kind} “${trashed.title}”, which is in the trash. Restore it, or choose another.`;
    throw new AppError('invalid_input', message, { fields: { slug: [message] } });
  }
  await tx.redirect.deleteMany({ where: { path } });
}

/** Leaves a permanent redirect from an old address to a term, by its id; its feed follows. */
export async function leaveTermRedirect(
  tx: Transaction,
  kind: TermKind,
  termId: string,
  oldSlug: string,
  now: Date,
): Promise<void> {
  const path = termPath[kind](oldSlug);
  const target = { postId: null, categoryId: null, tagId: null, [redirectTarget[kind]]: termId };
  await tx.redirect.upsert({ where: { path }, create: { path, createdAt: now, ...target }, update: target });
}

/** Lets everything that leads to one term lead to another, its own address too. */
export async function moveTermAddresses(
  tx: Transaction,
  kind: TermKind,
  from: { id: string; slug: string },
  toId: string,
  now: Date,
): Promise<void> {
  const column = redirectTarget[kind];
  await tx.redirect.updateMany({ where: { [column]: from.id }, data: { [column]: toId } });
  await leaveTermRedirect(tx, kind, toId, from.slug, now);
}
