import { pathsLike, readTakenAddresses, type TakenAddresses } from '#app/import/addresses/plan.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { canRedirect, isReservedSegment } from '#app/platform/http/public-addresses.ts';
import { nameKey, freeSlug, toSlug } from '#app/platform/text/slug.ts';
import { postPath, termPath } from '#app/posts/paths.ts';
import { PlannedTerms, nameTerms, type TermKind, termTable } from '#app/posts/terms/find.server.ts';
import { pathBelow } from '#app/publishing/post-row/addresses.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import type { ImportedAuthor, ResolvedPost, ResolvedTerm } from './resolved-post.ts';

export interface PlannedPost extends ResolvedPost {
  /** Its address as rows store it: a post's slug, a page's path. */
  address: string;
  /** The aliases that are free and not yet redirects. */
  newRedirects: string[];
}

/** What an import of these posts will do. */
export interface ImportPlan {
  posts: PlannedPost[];
  newCategories: { slug: string; name: string; description: string }[];
  newTags: string[];
  newAuthors: ImportedAuthor[];
  newTermRedirects: TermRedirect[];
  warnings: { key: string; message: string }[];
}

/** An old address of a category or a tag. */
interface TermRedirect {
  path: string;
  kind: TermKind;
  slug: string;
}

/** What identifies the account of an author. */
interface KnownAccount {
  email: string;
  username: string;
  displayName: string;
  passwordHash: string | null;
  disabledAt: Date | null;
}

/**
 * Addresses and names that this run has planned and the database does not have yet. A dry run uses them for all
 * batches.
 */
export class Reservations {
  readonly paths = new Map<string, string>();
  readonly categories = new PlannedTerms();
  readonly tags = new PlannedTerms();
  readonly authors: KnownAccount[] = [];
}

type NameReader = Pick<Transaction, 'category' | 'tag' | 'user' | 'redirect' | 'trashItem' | '$queryRaw'>;

/**
 * Plans the categories and tags of these posts that do not exist yet.
 * @returns the posts with the slugs that their terms have or get
 */
async function planTerms(
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
async function planTermRedirects(
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
async function planAuthors(
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
      ...{ id: true, email: true, username: true, displayName: true, passwordHash: true },
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

type Reader = Pick<
  Transaction,
  'post' | 'redirect' | 'category' | 'tag' | 'user' | 'trashItem' | '$queryRaw'
>;

/** Finds free slugs, free old addresses, and the categories, tags and authors to create. Reads only. */
export async function planImport(
  db: Reader,
  sourcePosts: ResolvedPost[],
  { reservations, settings }: { reservations: Reservations; settings: Settings },
): Promise<ImportPlan> {
  const plan: ImportPlan = {
    ...{ posts: [], newCategories: [], newTags: [], newAuthors: [], newTermRedirects: [] },
    warnings: [],
  };
  const adminPath = settings.admin_path;
  const posts = await planTerms(db, sourcePosts, reservations, plan);
  const taken = await readTaken(db, posts);
  for (const post of posts) {
    const address = await addressOf(db, post, { reservations, plan, settings, taken });
    reservations.paths.set(postPath(address), post.key);
    const newRedirects = redirectsOf(post, address, { reservations, plan, adminPath, taken });
    for (const path of newRedirects) reservations.paths.set(path, post.key);
    plan.posts.push({ ...post, address, newRedirects });
  }
  await planAuthors(db, posts, reservations, plan);
  await planTermRedirects(db, posts, reservations, plan, (path) => !canRedirect(path, adminPath));
  return plan;
}

/** What exists at the addresses that posts need for themselves and for their redirects. */
function readTaken(db: Reader, posts: ResolvedPost[]): Promise<TakenAddresses> {
  const slugs = new Set(posts.map(({ fields: { slug, type } }) => toSlug(slug) || type));
  const paths = new Set([...slugs].map(postPath));
  for (const path of posts.flatMap(({ aliases }) => aliases)) {
    paths.add(path);
    const slug = slugAt(path);
    if (slug !== undefined) slugs.add(slug);
  }
  return readTakenAddresses(db, { slugs, paths });
}

/** The address of a post. A page is below an existing parent, else at the top. */
async function addressOf(
  db: Reader,
  post: ResolvedPost,
  context: { reservations: Reservations; plan: ImportPlan; settings: Settings; taken: TakenAddresses },
): Promise<string> {
  const { reservations, plan, settings } = context;
  const { type } = post.fields;
  const preferredSlug = toSlug(post.fields.slug) || type;
  if (type === 'post' && isFree(preferredSlug, post, context)) return preferredSlug;
  const above = type === 'page' ? await pathAbove(db, post, reservations) : '';
  const taken = await pathsLike(db, above + preferredSlug, post.postId);
  const slug = freeSlug(preferredSlug, (candidate) => {
    const path = postPath(above + candidate);
    if (above === '/' && isReservedSegment(candidate, settings)) return true;
    return taken.has(path) || (reservations.paths.get(path) ?? post.key) !== post.key;
  });
  if (slug !== preferredSlug)
    plan.warnings.push({
      key: post.key,
      message: `The slug “${preferredSlug}” is taken; the post gets “${slug}”.`,
    });
  return above + slug;
}

/** The path above a page. In a dry run the parent may be one that is only planned. */
function pathAbove(
  db: Reader,
  { postId, parentPath, fields: { parentId } }: ResolvedPost,
  reservations: Reservations,
) {
  if (parentId === null && reservations.paths.has(parentPath)) return `${parentPath}/`;
  return pathBelow(db, { postId: postId ?? '', parentId });
}

/**
 * Whether no other post has this slug and no redirect to another target has its path, as for most slugs. Needs no
 * query.
 */
function isFree(
  slug: string,
  { key, postId }: ResolvedPost,
  { reservations, taken }: { reservations: Reservations; taken: TakenAddresses },
) {
  const path = postPath(slug);
  const redirectTarget = taken.redirects.get(path);
  return (
    (taken.posts.get(slug) ?? postId) === postId &&
    (redirectTarget === undefined || (redirectTarget !== null && redirectTarget === postId)) &&
    (reservations.paths.get(path) ?? key) === key
  );
}

function redirectsOf(
  post: ResolvedPost,
  slug: string,
  {
    reservations,
    plan,
    adminPath,
    taken,
  }: { reservations: Reservations; plan: ImportPlan; adminPath: string; taken: TakenAddresses },
): string[] {
  const freePaths: string[] = [];
  for (const path of new Set(post.aliases)) {
    if (path === postPath(slug)) continue;
    const redirectTarget = taken.redirects.get(path);
    if (redirectTarget && redirectTarget === post.postId) continue;
    const reservedBy = reservations.paths.get(path);
    const postAtPath = taken.posts.get(slugAt(path) ?? '');
    const isTaken =
      redirectTarget !== undefined ||
      (reservedBy !== undefined && reservedBy !== post.key) ||
      !canRedirect(path, adminPath) ||
      (postAtPath !== undefined && postAtPath !== post.postId);
    if (isTaken)
      plan.warnings.push({
        key: post.key,
        message: `The old address ${path} is taken and does not lead here.`,
      });
    else freePaths.push(path);
  }
  return freePaths;
}

function slugAt(path: string): string | undefined {
  return /^\/posts\/([^/]+)$/.exec(path)?.[1];
}
