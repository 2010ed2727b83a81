import type { Transaction } from '#app/platform/database/client.server.ts';
import { inSteps, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { termPath } from '#app/posts/paths.ts';
import { storeFields, type StoredText, type TermReferences } from '../fields/stored.ts';
import { findTermsByName, termTable, type TermKind } from './find.server.ts';

/** The tables that tell what became of terms and authors. */
export type TermReader = Pick<Transaction, 'category' | 'tag' | 'user' | 'redirect' | '$queryRaw'>;

/**
 * Reads which tags, category and accounts the fields of texts name now. Stored with them, they still say which are meant
 * after a rename, a merge or a stay in the trash.
 * @returns the references of each of these texts
 */
export async function readReferences(
  db: TermReader,
  texts: readonly Partial<PostFields>[],
): Promise<(fields: Partial<PostFields>) => TermReferences> {
  const names = new Set(texts.flatMap(({ tags = [] }) => tags));
  const tags = await findTermsByName(db, 'tag', [...names]);
  const categoryIds = new Set(texts.flatMap(({ categoryId }) => categoryId ?? []));
  const slugs = new Map(
    (await readTerms(db, 'category', [...categoryIds])).map(({ id, slug }) => [id, slug]),
  );
  const usernames = new Set(texts.flatMap(({ authors = [] }) => authors));
  const users = await inSteps([...usernames], ROWS_A_STEP, (chunk) =>
    db.user.findMany({
      where: { username: { in: chunk } },
      select: { id: true, username: true, displayName: true },
    }),
  );
  const userOf = new Map(users.map((user) => [user.username, user]));
  return (fields) => ({
    tags: (fields.tags ?? []).flatMap((name) => {
      const tag = tags.get(nameKey(name));
      return tag ? [{ name, id: tag.id, slug: tag.slug }] : [];
    }),
    categorySlug: (fields.categoryId && slugs.get(fields.categoryId)) || undefined,
    authors: (fields.authors ?? []).flatMap((name) => userOf.get(name) ?? []),
  });
}

/** Fields as revisions, scheduled updates and releases store them, with what their terms are now. */
export async function storeText(db: TermReader, fields: Partial<PostFields>): Promise<string> {
  return storeFields(fields, (await readReferences(db, [fields]))(fields));
}

/**
 * The fields of a stored text with its terms and authors as they are now: by their present names, and where one was merged
 * or deleted, what has its address since. A tag without any is left out, a category becomes null, an account that was
 * deleted is a guest. Terms that an older version of the server stored stay as they are; a save finds these by name.
 */
export async function readPresentFields(
  db: TermReader,
  { fields, terms }: StoredText,
): Promise<Partial<PostFields>> {
  const { tags, categoryId, authors } = fields;
  return {
    ...fields,
    ...(tags && tags.length > 0 && { tags: await presentTags(db, tags, terms.tags) }),
    ...(categoryId && { categoryId: await presentCategory(db, categoryId, terms.categorySlug) }),
    ...(authors && authors.length > 0 && { authors: await presentAuthors(db, authors, terms.authors) }),
  };
}

async function presentTags(
  db: TermReader,
  names: readonly string[],
  references: TermReferences['tags'],
): Promise<string[]> {
  const referenceOf = new Map(references.map((tag) => [tag.name, tag]));
  const ids = references.map(({ id }) => id);
  const nameOf = new Map((await readTerms(db, 'tag', ids)).map(({ id, name }) => [id, name]));
  const slugs = references.flatMap(({ id, slug }) => (nameOf.has(id) ? [] : [slug]));
  const heirs = await readHeirs(db, 'tag', slugs);
  const nameNow = (name: string) => {
    const reference = referenceOf.get(name);
    return reference ? nameOf.get(reference.id) : name;
  };
  const remaining = new Set(names.map(nameNow));
  const present = names.flatMap((name) => {
    const now = nameNow(name);
    if (now !== undefined) return now;
    const heir = heirs.get(referenceOf.get(name)!.slug)?.name;
    // Of two merged tags, the text keeps the position of the one that remains.
    return heir === undefined || remaining.has(heir) ? [] : heir;
  });
  return [...new Set(present)];
}

async function presentCategory(db: TermReader, id: string, slug: string | undefined): Promise<string | null> {
  if (slug === undefined || (await readTerms(db, 'category', [id])).length > 0) return id;
  return (await readHeirs(db, 'category', [slug])).get(slug)?.id ?? null;
}

async function presentAuthors(
  db: TermReader,
  names: readonly string[],
  references: TermReferences['authors'],
): Promise<string[]> {
  const referenceOf = new Map(references.map((user) => [user.username, user]));
  const ids = references.map(({ id }) => id);
  const users = await inSteps(ids, ROWS_A_STEP, (chunk) =>
    db.user.findMany({ where: { id: { in: chunk } }, select: { id: true, username: true } }),
  );
  const usernameOf = new Map(users.map(({ id, username }) => [id, username]));
  return names.map((name) => {
    const reference = referenceOf.get(name);
    return reference ? (usernameOf.get(reference.id) ?? reference.displayName) : name;
  });
}

function readTerms(db: TermReader, kind: TermKind, ids: readonly string[]) {
  const select = { id: true, slug: true, name: true } as const;
  return inSteps(ids, ROWS_A_STEP, (chunk) =>
    termTable(db, kind).findMany({ where: { id: { in: chunk } }, select }),
  );
}

/** The terms that have the addresses of deleted ones: their own, or by a redirect. @returns terms by slug */
async function readHeirs(
  db: TermReader,
  kind: TermKind,
  slugs: string[],
): Promise<Map<string, { id: string; name: string }>> {
  if (slugs.length === 0) return new Map();
  const select = { id: true, slug: true, name: true } as const;
  const living = await termTable(db, kind).findMany({ where: { slug: { in: slugs } }, select });
  const pathOf = termPath[kind];
  const redirects = await db.redirect.findMany({
    where: { path: { in: slugs.map(pathOf) } },
    select: { path: true, category: { select }, tag: { select } },
  });
  return new Map([
    ...redirects.flatMap(({ path, category, tag }) => {
      const heir = kind === 'category' ? category : tag;
      return heir ? [[path.slice(pathOf('').length), heir] as const] : [];
    }),
    ...living.map((term) => [term.slug, term] as const),
  ]);
}
