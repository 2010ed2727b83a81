import type { App } from '#app/app.ts';
import { inChunks } from '#app/platform/event-loop.server.ts';
import { isReservedSegment } from '#app/platform/public-addresses.ts';
import { freeSlug, toSlug } from '#app/platform/slug.ts';
import { postPath } from '#app/posts/paths.ts';
import { pathsLike, readTakenAddresses } from '#app/publishing/taken-addresses.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** The wanted address of a source's post. */
export interface WantedAddress {
  /** The identity of the post at the source. */
  key: string;
  slug: string;
  /** The path here of what it is below: `/posts/` for a post, `/` or `/a/b/` for a page. */
  above: string;
}

/** Says where the import will put the posts of a source, in their order, so that links between them can lead there. */
export type AddressPlanner = (wanted: WantedAddress[]) => Promise<string[]>;

const ROWS_A_QUERY = 400;

/**
 * A planner by what is in the database before the import: a post of an earlier run is where it is, another one gets
 * the first free slug, in the order and by the rule of the import.
 */
export function addressPlanner(app: Pick<App, 'db'>, source: string): AddressPlanner {
  return async (wanted) => {
    const present = await readPresent(app, source, wanted);
    const taken = await readTaken(app, wanted);
    const settings = await readSettings(app);
    const addresses: string[] = [];
    const asked = new Set<string>();
    for (const one of wanted) {
      const { key, above } = one;
      const here = present.get(key);
      const first = firstChoiceOf(one);
      if (here === undefined && taken.has(first) && !asked.has(first)) {
        asked.add(first);
        for (const path of await pathsLike(app.db, rowSlugOf(first), null)) taken.add(path);
      }
      const isTaken = (slug: string) =>
        taken.has(above + slug) || (above === '/' && isReservedSegment(slug, settings));
      const address = here ?? above + freeSlug(first.slice(above.length), isTaken);
      taken.add(address);
      addresses.push(address);
    }
    return addresses;
  };
}

/** Where posts are that an earlier run brought, by their keys. */
async function readPresent(
  { db }: Pick<App, 'db'>,
  source: string,
  wanted: WantedAddress[],
): Promise<Map<string, string>> {
  const present = new Map<string, string>();
  for (const some of inChunks(wanted, ROWS_A_QUERY)) {
    const items = await db.importItem.findMany({
      where: { source, itemKey: { in: some.map(({ key }) => key) } },
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

/** Those of the wanted addresses at which there is a post or a redirect. */
async function readTaken({ db }: Pick<App, 'db'>, wanted: WantedAddress[]): Promise<Set<string>> {
  const paths = new Set(wanted.map(firstChoiceOf));
  const slugs = new Set([...paths].map(rowSlugOf));
  const { posts, redirects } = await readTakenAddresses(db, { slugs, paths });
  return new Set([...[...posts.keys()].map(postPath), ...redirects.keys()]);
}

/** The address that a post has unless another one has it. */
function firstChoiceOf({ slug, above }: WantedAddress): string {
  return above + (toSlug(slug) || (above === '/posts/' ? 'post' : 'page'));
}

/** An address as the row of its post has it. */
function rowSlugOf(path: string): string {
  return path.replace(/^\/posts\//, '');
}
