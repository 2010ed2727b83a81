import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { categoryPath, tagPath } from '#app/posts/paths.ts';
import { termTable, type TermKind } from '#app/posts/terms/table.server.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import { writeRedirect } from '#app/publishing/change/write-redirects.server.ts';

export const termPath = { category: categoryPath, tag: tagPath } as const;

/** @throws AppError `not_found`. */
export async function requireTerm(tx: Transaction, kind: TermKind, id: string) {
  const term = await termTable(tx, kind).findUnique({ where: { id } });
  if (!term) throw new AppError('not_found', `This ${kind} no longer exists.`);
  return term;
}

/** Ids of a term's published posts. */
export async function publishedPostsOf(tx: Transaction, kind: TermKind, id: string): Promise<string[]> {
  const having = kind === 'category' ? { categoryId: id } : { tags: { some: { tagId: id } } };
  const posts = await tx.post.findMany({ where: { ...having, status: 'published' }, select: { id: true } });
  return posts.map((post) => post.id);
}

/**
 * Ensures that a term may have a slug. Removes a redirect from its address: a current address has priority over an old
 * one.
 * @throws AppError as `requireFreeTermSlug`.
 */
export async function prepareTermAddress(
  change: PublicChange,
  kind: TermKind,
  termId: string,
  slug: string,
): Promise<void> {
  await change.lockAddresses();
  await requireFreeTermSlug(change.tx, kind, termId, slug);
  await writeRedirect(change, termPath[kind](slug), null);
}

/**
 * Ensures that no other term has a slug, nor one in the trash.
 * @throws AppError `invalid_input` on `slug`.
 */
export async function requireFreeTermSlug(
  tx: Transaction,
  kind: TermKind,
  termId: string,
  slug: string,
): Promise<void> {
  const holder = await termTable(tx, kind).findUnique({ where: { slug } });
  if (holder && holder.id !== termId) {
    throw fieldError(
      'slug',
      say(`The slug is used by the ${kind} “{name}”. Choose another.`, { name: holder.name }),
    );
  }
  const path = termPath[kind](slug);
  const trashed = await tx.trashItem.findFirst({ where: { path, NOT: trashEntries(kind, termId) } });
  if (trashed) {
    throw fieldError(
      'slug',
      say(`The slug belongs to the ${kind} “{name}”, which is in the trash. Restore it, or choose another.`, {
        name: trashed.title,
      }),
    );
  }
}

/**
 * Redirects a term's old address and the address of its feed permanently. Stores the term's id, so its slug may change
 * again.
 */
export async function redirectOldSlug(
  change: PublicChange,
  kind: TermKind,
  termId: string,
  oldSlug: string,
): Promise<void> {
  await writeRedirect(change, termPath[kind](oldSlug), { kind, id: termId });
}

/** Redirects every address of one term, old ones included, to another. */
export async function moveTermAddresses(
  change: PublicChange,
  kind: TermKind,
  from: { id: string; slug: string },
  toId: string,
): Promise<void> {
  const column = `${kind}Id` as const;
  await change.tx.redirect.updateMany({ where: { [column]: from.id }, data: { [column]: toId } });
  await redirectOldSlug(change, kind, toId, from.slug);
}
