import type { Transaction } from '#app/platform/database.server.ts';
import type { TermKind } from '#app/taxonomy/term-table.server.ts';
import type { Reservations, ImportPlan } from './plan-import.server.ts';
import type { ImportedAuthor, ResolvedPost, ResolvedTerm } from './resolved-post.ts';
import { termPath } from './terms.server.ts';

type Reader = Pick<Transaction, 'category' | 'tag' | 'user' | 'redirect'>;

/** An old address of a category or a tag. */
export interface TermRedirect {
  path: string;
  kind: TermKind;
  slug: string;
}

/** The categories of these posts that do not exist yet. */
export async function planCategories(
  db: Reader,
  posts: ResolvedPost[],
  reservations: Reservations,
  plan: ImportPlan,
) {
  const categories = new Map(
    posts.flatMap(({ category }) => (category ? [[category.slug, category] as const] : [])).reverse(),
  );
  const rows = await db.category.findMany({
    where: { slug: { in: [...categories.keys()] } },
    select: { slug: true },
  });
  const present = new Set([...rows.map(({ slug }) => slug), ...reservations.categories]);
  for (const [slug, { name, description }] of categories) {
    if (!present.has(slug)) plan.newCategories.push({ slug, name, description });
    reservations.categories.add(slug);
  }
}

/** The slugs of tags that do not exist yet. */
export async function planTags(
  db: Reader,
  posts: ResolvedPost[],
  reservations: Reservations,
  plan: ImportPlan,
) {
  const tagSlugs = new Set(posts.flatMap(({ tags }) => tags.map(({ slug }) => slug)));
  const rows = await db.tag.findMany({ where: { slug: { in: [...tagSlugs] } }, select: { slug: true } });
  const present = new Set([...rows.map(({ slug }) => slug), ...reservations.tags]);
  plan.newTags = [...tagSlugs].filter((slug) => !present.has(slug));
  for (const slug of tagSlugs) reservations.tags.add(slug);
}

/** Free old addresses of categories and tags. The others are ignored without a warning, since every post names them. */
export async function planTermRedirects(
  db: Reader,
  posts: ResolvedPost[],
  reservations: Reservations,
  plan: ImportPlan,
  isOwnAddress: (path: string) => boolean,
) {
  const redirectsByPath = new Map<string, TermRedirect>();
  const addRedirects = (kind: TermKind, { slug, aliases }: ResolvedTerm) => {
    for (const path of aliases)
      if (path !== termPath[kind](slug) && !redirectsByPath.has(path))
        redirectsByPath.set(path, { path, kind, slug });
  };
  for (const { category, tags } of posts) {
    if (category) addRedirects('category', category);
    for (const tag of tags) addRedirects('tag', tag);
  }
  const rows = await db.redirect.findMany({
    where: { path: { in: [...redirectsByPath.keys()] } },
    select: { path: true },
  });
  const present = new Set(rows.map(({ path }) => path));
  for (const redirect of redirectsByPath.values()) {
    const { path } = redirect;
    if (present.has(path) || reservations.paths.has(path) || isOwnAddress(path)) continue;
    reservations.paths.set(path, `${redirect.kind} ${redirect.slug}`);
    plan.newTermRedirects.push(redirect);
  }
}

/** The authors of these posts who do not have an account yet. */
export async function planAuthors(
  db: Reader,
  posts: ResolvedPost[],
  reservations: Reservations,
  plan: ImportPlan,
) {
  for (const author of posts.flatMap(({ author: maker, accounts }) => [
    ...(maker ? [maker] : []),
    ...accounts,
  ])) {
    if (matching(reservations.authors, author)) continue;
    if (!(await findAccount(db, author))) plan.newAuthors.push(author);
    reservations.authors.push({
      ...author,
      displayName: author.name,
      passwordHash: null,
      disabledAt: new Date(0),
    });
  }
}

/**
 * The account of an author: with that email address, else that username, else that display name; null if there is none.
 */
export async function findAccount(
  db: Pick<Transaction, 'user'>,
  author: ImportedAuthor,
): Promise<{ id: string } | null> {
  const { email, username, name } = author;
  const accounts = await db.user.findMany({
    where: { OR: [{ username }, { displayName: name }, ...(email === '' ? [] : [{ email }])] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      email: true,
      username: true,
      displayName: true,
      passwordHash: true,
      disabledAt: true,
    },
  });
  return matching(accounts, author) ?? null;
}

/** What identifies the account of an author. */
export interface KnownAccount {
  email: string;
  username: string;
  displayName: string;
  passwordHash: string | null;
  disabledAt: Date | null;
}

function matching<Account extends KnownAccount>(accounts: Account[], author: ImportedAuthor) {
  return (
    accounts.find(({ email }) => author.email !== '' && email === author.email) ??
    accounts.find(({ username }) => username === author.username) ??
    accounts.find((account) => account.displayName === author.name && !isSomebodyElse(account, author))
  );
}

// Authors of the same name whose usernames differ at the source stay two accounts.
function isSomebodyElse({ passwordHash, disabledAt }: KnownAccount, { hasUsername }: ImportedAuthor) {
  return hasUsername && passwordHash === null && disabledAt !== null;
}
