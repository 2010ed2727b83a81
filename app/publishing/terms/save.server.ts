import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { say } from '#app/platform/message.ts';
import { nameKey, toSlug } from '#app/platform/text/slug.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { termPath } from '#app/posts/paths.ts';
import { findTermsByName, nameTerms, termTable, type TermKind } from '#app/posts/terms/find.server.ts';
import { termSchema, type TermFields } from '#app/posts/terms/form.ts';
import {
  forgetReleaseProblems,
  changePublicContent,
  type PublicChange,
  type PublishingContext,
  writeRedirect,
} from '#app/publishing/change/public-change.server.ts';

/** Creates a category or tag. @throws AppError `invalid_input` on `slug`. */
export async function createTerm(
  app: PublishingContext,
  kind: TermKind,
  fields: TermFields,
): Promise<{ id: string }> {
  return withTakenSlugRefused(() =>
    changePublicContent(app, (change) => insertTerm(app, change, kind, fields)),
  );
}

/** The fields with a slug: a blank one is made from the name, with a number if a term of another name has that. */
export async function withTermSlug(
  db: Pick<Transaction, 'category' | 'tag' | 'trashItem' | '$queryRaw'>,
  kind: TermKind,
  fields: TermFields,
  exceptId?: string,
): Promise<TermFields> {
  if (fields.slug !== '') return { ...fields };
  const named = await nameTerms(db, kind, [fields.name], { exceptId });
  return { ...fields, slug: named.get(nameKey(fields.name))!.slug };
}

async function insertTerm(
  app: Pick<PublishingContext, 'clock'>,
  change: PublicChange,
  kind: TermKind,
  typed: TermFields,
): Promise<{ id: string }> {
  const { tx, now } = change;
  const id = newId(app.clock);
  await change.lockAddresses();
  const fields = await withTermSlug(tx, kind, typed);
  await prepareTermAddress(change, kind, id, fields.slug);
  await termTable(tx, kind).create({ data: { ...fields, id, createdAt: now, updatedAt: now } });
  change.causes('term.changed', `${kind}:${id}`);
  // Its address answered 404 before.
  change.affectsEveryPage();
  return { id };
}

/**
 * The id of the category with a name, which is created if there is none.
 * @throws AppError `invalid_input` on `newCategory` for a name that cannot be a category's
 */
export async function ensureCategory(
  app: Pick<PublishingContext, 'clock'>,
  change: PublicChange,
  name: string,
): Promise<string> {
  const existing = (await findTermsByName(change.tx, 'category', [name])).get(nameKey(name));
  if (existing) return existing.id;
  try {
    return (await insertTerm(app, change, 'category', parseForm(termSchema, { name }))).id;
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid_input') throw error;
    const messages = Object.values(error.fields).flat();
    throw new AppError('invalid_input', error.said, { fields: { newCategory: messages } });
  }
}

/**
 * Changes a category or tag. An old address redirects permanently.
 * @throws AppError `not_found`; `invalid_input` on `slug`.
 */
export async function saveTerm(
  app: PublishingContext,
  kind: TermKind,
  id: string,
  fields: TermFields,
): Promise<void> {
  await withTakenSlugRefused(() => changePublicContent(app, (change) => writeTerm(change, kind, id, fields)));
}

/**
 * Writes a category's or tag's fields with their consequences.
 * @throws AppError `not_found`; `invalid_input` on `slug`.
 */
export async function writeTerm(
  change: PublicChange,
  kind: TermKind,
  id: string,
  typed: TermFields,
): Promise<void> {
  const { tx, now, affects, affectsEveryPage, recordTexts } = change;
  await change.lockAddresses();
  const before = await requireTerm(tx, kind, id);
  const fields = await withTermSlug(tx, kind, typed, id);
  // A form gives slugs as today's rules have them; an address stays.
  if (fields.slug === toSlug(before.slug)) fields.slug = before.slug;
  if (before.slug !== fields.slug) await forgetReleaseProblems(tx);
  await prepareTermAddress(change, kind, id, fields.slug);
  await termTable(tx, kind).update({ where: { id }, data: { ...fields, updatedAt: now } });
  const { name, slug, description, picture } = before;
  recordTexts(kind, id, { name, slug, description, picture }, fields);
  if (slug !== fields.slug) {
    await redirectOldSlug(change, kind, id, slug);
  }
  affectsEveryPage();
  // The search index contains the name.
  if (before.name !== fields.name) affects(...(await publishedPostsOf(tx, kind, id)));
}

async function withTakenSlugRefused<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw fieldError('slug', 'This slug was taken a moment ago. Choose another.');
  }
}

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
async function prepareTermAddress(
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
async function redirectOldSlug(
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
