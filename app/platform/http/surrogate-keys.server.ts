import { createHash } from 'node:crypto';
import { EVERY_PAGE, pathKey, type PageKey } from './page-keys.ts';

/** Every public answer carries it. */
const ALL = 'all';
/** An answer with more keys carries this one instead, and each change of a post purges it. */
const ANY_POST = 'posts';
/** Caches limit the length of a header: Varnish to 8 KB. */
const KEYS_MAX = 100;

/** The public name of a page key. An address is hashed: it may have any length and any sign. */
function nameOf(key: PageKey): string {
  if (key === EVERY_PAGE) return ALL;
  if (!key.startsWith('path:')) return key.replace(':', '-');
  return `path-${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
}

/**
 * The names under which caches in front keep an answer.
 * @param path its address, percent-encoded
 * @param keys of what it shows
 */
export function surrogateKeys(path: string, keys: Iterable<PageKey>): string[] {
  const own = new Set([ALL, ...namesOfPath(path)]);
  const shown = new Set([...keys].map(nameOf).filter((name) => !own.has(name)));
  return shown.size > KEYS_MAX ? [...own, ANY_POST] : [...own, ...shown];
}

/** The names of an address: `home`, `feeds`, those of terms, and one for each address. */
function namesOfPath(path: string): string[] {
  const names = [nameOf(pathKey(decodeURIComponent(path)))];
  if (path === '/') names.push('home');
  if (/\/(?:rss|atom|podcast)\.xml$|\/feed\.json$/.test(path)) names.push('feeds');
  const [, kind, slug] = /\/(tags|categories)\/([^/]+)/.exec(path) ?? [];
  if (kind !== undefined && slug !== undefined)
    names.push(termName(kind === 'tags' ? 'tag' : 'category', slug));
  return names;
}

/** The name of a category or tag. @param slug percent-encoded */
export const termName = (kind: 'category' | 'tag', slug: string) => `${kind}-${slug}`;

/** The names that a change with these keys purges, besides those of terms. */
export function purgedNames(keys: readonly PageKey[]): string[] {
  if (keys.includes(EVERY_PAGE)) return [ALL];
  const ofPosts = keys.some((key) => !key.startsWith('path:'));
  const ofLists = keys.some((key) => key.startsWith('list:'));
  return [
    ...new Set([...keys.map(nameOf), ...(ofPosts ? ['feeds', ANY_POST] : []), ...(ofLists ? ['home'] : [])]),
  ];
}
