import type { MediaFetcher } from '#app/import/media/fetch.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { isReservedSegment } from '#app/platform/http/public-addresses.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { Db } from '#app/platform/services.ts';
import { freeSlug, toSlug } from '#app/platform/text/slug.ts';
import { postPath } from '#app/posts/paths.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

type Reader = Pick<Transaction, 'post' | 'redirect'>;

const NAMES_A_QUERY = 400;

/** The posts and redirects at some addresses. */
export interface TakenAddresses {
  /** Slug → the post's id. */
  posts: Map<string, string>;
  /** Path → the post to which it redirects; null for another target. */
  redirects: Map<string, string | null>;
}

/** Reads which of these slugs are those of posts, and which of these paths are redirects, in few queries. */
export async function readTakenAddresses(
  db: Reader,
  { slugs, paths }: { slugs: Set<string>; paths: Set<string> },
): Promise<TakenAddresses> {
  const taken: TakenAddresses = { posts: new Map(), redirects: new Map() };
  for (const chunk of inChunks([...slugs], NAMES_A_QUERY))
    for (const { id, slug } of await db.post.findMany({
      where: { slug: { in: chunk } },
      select: { id: true, slug: true },
    }))
      taken.posts.set(slug, id);
  for (const chunk of inChunks([...paths], NAMES_A_QUERY))
    for (const { path, postId } of await db.redirect.findMany({
      where: { path: { in: chunk } },
      select: { path: true, postId: true },
    }))
      taken.redirects.set(path, postId);
  return taken;
}

/** Addresses and old addresses of other posts that begin with this slug's. */
export async function pathsLike(db: Reader, slug: string, ownId: string | null): Promise<Set<string>> {
  const own = ownId === null ? {} : { NOT: { id: ownId } };
  const posts = await db.post.findMany({
    where: { slug: { startsWith: slug }, ...own },
    select: { slug: true },
  });
  const redirects = await db.redirect.findMany({
    where: { path: { startsWith: postPath(slug) } },
    select: { path: true, postId: true },
  });
  const foreign = redirects.filter(({ postId }) => ownId === null || postId !== ownId);
  return new Set([...posts.map((post) => postPath(post.slug)), ...foreign.map(({ path }) => path)]);
}

/** The address that a source requests for a post. Another post may have it already. */
export interface RequestedAddress {
  /** The identity of the post at the source. */
  key: string;
  slug: string;
  /** The path on this site below which the post will be: `/posts/` for a post, `/` or `/a/b/` for a page. */
  above: string;
  /** The key of a page's parent if the source has it: the page will be below its planned address instead. */
  parent?: string;
}

/**
 * Returns the paths that the import will give to these posts, in their order: links between posts need them in advance.
 */
export type AddressPlanner = (requested: RequestedAddress[]) => Promise<string[]>;

/** What every source is given besides its files. */
export interface SourceTools {
  /** IANA name of the zone of times that name none. */
  timeZone: string;
  now: Date;
  /** The folder of uploads, for pictures that posts name by absolute paths; null: addresses stay. */
  mediaFolder: string | null;
  /** Plans the posts' addresses on this site. */
  addresses: AddressPlanner;
  /** Downloads pictures that are not in the folder; null: texts keep linking to them. */
  fetcher: MediaFetcher | null;
}

const ROWS_A_QUERY = 400;

/**
 * A planner that reads the database before the import. A post that an earlier run imported keeps its address. Any other
 * gets the first free slug, in the same order and by the same rule as the import itself: parents before their pages.
 */
export function addressPlanner(app: Db, source: string): AddressPlanner {
  return async (requested) => {
    const context = {
      app,
      present: await readPresent(app, source, requested),
      settings: await readSettings(app),
    };
    const addresses = new Map<RequestedAddress, string>();
    const byKey = new Map<string, string>();
    let rest = requested;
    while (rest.length > 0) {
      const ready = rest.filter(({ parent }) => parent === undefined || byKey.has(parent));
      // For pages that are each other's parents `above` counts.
      const level = ready.length > 0 ? ready : rest;
      const placed = level.map((request) => {
        const parent = byKey.get(request.parent ?? '');
        return parent === undefined ? request : { ...request, above: `${parent}/` };
      });
      const planned = await planLevel(placed, context);
      for (const [index, request] of level.entries()) {
        addresses.set(request, planned[index]!);
        if (!byKey.has(request.key)) byKey.set(request.key, planned[index]!);
      }
      rest = rest.filter((request) => !addresses.has(request));
    }
    return requested.map((request) => addresses.get(request)!);
  };
}

/** Plans addresses whose `above` is final. */
async function planLevel(
  requested: RequestedAddress[],
  { app, present, settings }: { app: Db; present: Map<string, string>; settings: Settings },
): Promise<string[]> {
  const taken = await readTaken(app, requested);
  const addresses: string[] = [];
  const reserved = new Set<string>();
  for (const request of requested) {
    const { key, above } = request;
    const here = present.get(key);
    const first = firstChoiceOf(request);
    if (here === undefined && taken.has(first) && !reserved.has(first)) {
      reserved.add(first);
      for (const path of await pathsLike(app.db, rowSlugOf(first), null)) taken.add(path);
    }
    const isTaken = (slug: string) =>
      taken.has(above + slug) || (above === '/' && isReservedSegment(slug, settings));
    const address = here ?? above + freeSlug(first.slice(above.length), isTaken);
    taken.add(address);
    addresses.push(address);
  }
  return addresses;
}

/** The paths of posts that an earlier run imported, by their keys. */
async function readPresent(
  { db }: Db,
  source: string,
  requested: RequestedAddress[],
): Promise<Map<string, string>> {
  const present = new Map<string, string>();
  for (const chunk of inChunks(requested, ROWS_A_QUERY)) {
    const items = await db.importItem.findMany({
      where: { source, itemKey: { in: chunk.map(({ key }) => key) } },
      select: { itemKey: true, postId: true },
    });
    const posts = await db.post.findMany({
      where: { id: { in: items.map(({ postId }) => postId) } },
      select: { id: true, slug: true },
    });
    const paths = new Map(posts.map(({ id, slug }) => [id, postPath(slug)]));
    for (const { itemKey, postId } of items) if (paths.has(postId)) present.set(itemKey, paths.get(postId)!);
  }
  return present;
}

/** The requested addresses that a post or a redirect has. */
async function readTaken({ db }: Db, requested: RequestedAddress[]): Promise<Set<string>> {
  const paths = new Set(requested.map(firstChoiceOf));
  const slugs = new Set([...paths].map(rowSlugOf));
  const { posts, redirects } = await readTakenAddresses(db, { slugs, paths });
  return new Set([...[...posts.keys()].map(postPath), ...redirects.keys()]);
}

/** The address that a post gets if it is free. */
function firstChoiceOf({ slug, above }: RequestedAddress): string {
  return above + (toSlug(slug) || (above === '/posts/' ? 'post' : 'page'));
}

/** The slug in a post's row for its path. */
function rowSlugOf(path: string): string {
  return path.replace(/^\/posts\//, '');
}
