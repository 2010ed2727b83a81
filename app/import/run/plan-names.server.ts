import type { Transaction } from '#app/platform/database/client.server.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import { nameTerms, type PlannedTerms } from '#app/posts/terms/find.server.ts';
import { termTable, type TermKind } from '#app/posts/terms/table.server.ts';
import { termPath } from '#app/publishing/terms/addresses.server.ts';
import type { ImportPlan, KnownAccount, Reservations, TermRedirect } from './import-plan.server.ts';
import type { ImportedAuthor, ResolvedPost, ResolvedTerm } from './resolved-post.ts';

type NameReader = Pick<Transaction, 'category' | 'tag' | 'user' | 'redirect' | 'trashItem' | '$queryRaw'>;

/**
 * Plans the categories and tags of these posts that do not exist yet.
 * @returns the posts with the slugs that their terms have or get
 */
export async function planTerms(
  db: NameReader,
  posts: ResolvedPost[],
  reservations: Reservations,
  plan: ImportPlan,
): Promise<ResolvedPost[]> {
  const categories = await planKind(
    db,
    'category',
    posts.flatMap(({ category }) => category ?? []),
    reservations.categories,
  );
  const tags = await planKind(
    db,
    'tag',
    posts.flatMap((post) => post.tags),
    reservations.tags,
  );
  plan.newCategories = categories.created.map(({ slug, name, description }) => ({ slug, name, description }));
  plan.newTags = tags.created.map(({ slug }) => slug);
  return posts.map((post) => ({
    ...post,
    category: post.category && categories.withSlug(post.category),
    tags: post.tags.map(tags.withSlug),
  }));
}

async function planKind(db: NameReader, kind: TermKind, terms: ResolvedTerm[], planned: PlannedTerms) {
  const bySlug = new Map(
    terms.flatMap((term) => (term.isByName ? [] : [[term.slug, term] as const])).reverse(),
  );
  const rows = await termTable(db, kind).findMany({
    where: { slug: { in: [...bySlug.keys()] } },
    select: { slug: true },
  });
  const present = new Set(rows.map(({ slug }) => slug));
  const isNew = ({ slug }: { slug: string }) => !present.has(slug) && !planned.hasSlug(slug);
  const created = [...bySlug.values()].filter(isNew);
  // Before those with a name alone: these get a slug that is free.
  for (const term of created) planned.add(term);
  const named = terms.filter(({ isByName }) => isByName);
  const wasPlanned = new Set(
    named.flatMap(({ name }) => (planned.slugOfName(name) === undefined ? [] : nameKey(name))),
  );
  const found = await nameTerms(
    db,
    kind,
    named.map(({ name }) => name),
    { planned },
  );
  const withSlug = (term: ResolvedTerm): ResolvedTerm => {
    const named = term.isByName && found.get(nameKey(term.name));
    return named ? { ...term, slug: named.slug, isByName: named.id === null } : term;
  };
  for (const [key, { id }] of found)
    if (id === null && !wasPlanned.has(key))
      created.push(withSlug(named.find(({ name }) => nameKey(name) === key)!));
  return { created, withSlug };
}

/** Free old addresses of categories and tags. The others are ignored without a warning, since every post names them. */
export async function planTermRedirects(
  db: NameReader,
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
  db: NameReader,
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
