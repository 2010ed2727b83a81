import { pathKey } from '#app/platform/http/page-keys.ts';
import type { Reading, Db } from '#app/platform/services.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { isPublic, type ListScope } from '#app/posts/lists/scope.ts';
import {
  categoryPath,
  decodeBarePath,
  encodePath,
  postPath,
  prefixOf,
  tagPath,
  decodePath,
} from '#app/posts/paths.ts';
import { findOldSiteAddress, findOldSiteQuery } from './old-site.server.ts';

/**
 * The target of an old path, ready for a `Location` header; null without a redirect, or when the target is not public.
 * @param path of a request, percent-encoded, without the prefix of a language
 * @param listedIn the list that the address belongs to: a term leads to its posts there, or else to the main list
 */
export async function findRedirect(app: Reading, path: string, listedIn = ''): Promise<string | null> {
  // Links to old addresses often end in a slash. Redirects are stored without it.
  const decoded = decodeBarePath(path);
  if (decoded === null) return null;
  return (
    (await findStored(app, decoded, listedIn)) ??
    findOldSiteAddress(app, decoded, (oldPath) => findStored(app, oldPath))
  );
}

/** The target of a query that an earlier WordPress site answered on its home page; null for any other query. */
export function findRedirectOfQuery(app: Reading, query: URLSearchParams): Promise<string | null> {
  return findOldSiteQuery(app, query, (oldPath) => findStored(app, oldPath));
}

async function findStored(app: Reading, decoded: string, listedIn = ''): Promise<string | null> {
  app.recordKeys?.(pathKey(decoded));
  const row = await app.db.redirect.findUnique({
    where: { path: decoded },
    select: {
      post: { select: { slug: true, status: true } },
      category: { select: { id: true, slug: true } },
      tag: { select: { id: true, slug: true } },
    },
  });
  const current = row && (await currentPath(app, row, listedIn));
  return current && current !== decoded ? encodePath(current) : null;
}

async function currentPath(
  app: Reading,
  row: {
    post: { slug: string; status: string } | null;
    category: { id: string; slug: string } | null;
    tag: { id: string; slug: string } | null;
  },
  listedIn: string,
): Promise<string | null> {
  const { post, category, tag } = row;
  if (post) return post.status === isPublic.status ? postPath(post.slug) : null;
  if (category) return pathOfTerm(app, categoryPath(category.slug), { categoryId: category.id, listedIn });
  return tag && pathOfTerm(app, tagPath(tag.slug), { tagId: tag.id, listedIn });
}

async function pathOfTerm(
  app: Reading,
  path: string,
  { listedIn, ...term }: ListScope & { listedIn: string },
): Promise<string | null> {
  for (const list of new Set([listedIn, '']))
    if ((await countPosts(app, { ...term, listedIn: list })) > 0) return prefixOf(list) + path;
  return null;
}

/** No title is longer. */
const WORDS_MAX = 300;
/** Posts with the same title or a near slug, drafts too, of which a public one is named. */
const READ_MAX = 50;

/** A slug is near if it begins as the address does: with so many characters, and half of the longer one. */
const NEAR_CHARACTERS = 5;

/**
 * The public post or page whose slug or title consists of exactly the words at the end of an unknown address, or the post
 * whose slug begins almost as those. Look-ups in the indexes of slugs and titles, so the title is compared in the
 * usual spellings of its capitals only.
 */
export async function findNamedPost(
  { db }: Db,
  pathname: string,
): Promise<Pick<PostLink, 'slug' | 'title'> | null> {
  const last = decodePath(pathname)
    ?.split('/')
    .findLast((part) => part !== '')
    ?.replace(/\.(?:html?|php|aspx?)$/i, '');
  if (last === undefined || last.length > WORDS_MAX) return null;
  const slug = toSlug(last);
  if (slug === '') return null;
  const titles = spellings(last);
  const beginning = slug.slice(0, Math.max(NEAR_CHARACTERS, Math.ceil(slug.length / 2)));
  const near = { gte: beginning, lt: `${beginning}zzzz` };
  // No condition for the state: with one, SQLite reads the index of states with every published post.
  const rows = await db.post.findMany({
    where: { OR: [{ slug: { in: [slug, `/${slug}`] } }, { title: { in: titles } }, { slug: near }] },
    select: { slug: true, title: true, status: true },
    take: READ_MAX,
  });
  const found = rows.filter(({ status }) => status === isPublic.status);
  return (
    found.find((row) => row.slug.replace(/^\//, '') === slug) ??
    found.find(({ title }) => titles.includes(title)) ??
    nearestOf(found, slug)
  );
}

/** The row whose slug has the longest beginning in common with a slug that is nobody's. */
function nearestOf<Row extends { slug: string }>(rows: Row[], slug: string): Row | null {
  let nearest: Row | null = null;
  let most = NEAR_CHARACTERS - 1;
  for (const row of rows) {
    const shared = sharedBeginning(row.slug, slug);
    if (shared > most && shared * 2 >= Math.max(row.slug.length, slug.length))
      [nearest, most] = [row, shared];
  }
  return nearest;
}

function sharedBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** The words of an address as a title may spell them: as they are, as a sentence, each with a capital. */
function spellings(text: string): string[] {
  const words = text.replace(/[-_+\s]+/g, ' ').trim();
  const capital = (word: string) => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return [...new Set([text, words, capital(words), words.split(' ').map(capital).join(' ')])];
}
