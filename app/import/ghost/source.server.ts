import {
  exportedPath,
  LinksBetweenPosts,
  type LinkedPost,
} from '#app/import/addresses/links-between-posts.ts';
import type { AddressPlanner, SourceTools } from '#app/import/addresses/plan.server.ts';
import { Redirects } from '#app/import/addresses/old-address.ts';
import { MediaFolder } from '#app/import/media/folder.server.ts';
import {
  readPortable,
  type ContentSource,
  type SourceItem,
  type UnreadableItem,
  reasonToSkip,
} from '#app/import/model/post.ts';
import { sourceZone } from '#app/import/model/date.ts';
import { hashOfItem } from '#app/import/source/item.server.ts';
import { readTextFile } from '#app/import/source/read-text.server.ts';
import { ghostPostSchema, readGhostExport, type GhostPost } from './export-file.ts';
import { isGhostPage, oldPathsOf, readGhostPost, type GhostContext } from './post.ts';
import { readGhostRedirects, readGhostRoutes, defaultRoutes } from './address-files.ts';

/** `mediaFolder` is Ghost's `content` or `content/images`, `timeZone` that of dates in addresses. */
export interface GhostOptions extends SourceTools {
  /** Ghost's `redirects.json` or `redirects.yaml`. */
  redirectsFile: string | null;
  /** Ghost's `routes.yaml`. */
  routesFile: string | null;
}

/**
 * Opens the JSON export of Ghost 3 to 6.
 * @throws AppError `invalid_input` when a file does not exist or has another format
 */
export async function openGhostExport(file: string, options: GhostOptions): Promise<ContentSource> {
  const source = readGhostExport(await readTextFile(file));
  const redirects = new Redirects(
    readGhostRedirects(options.redirectsFile === null ? '[]' : await readTextFile(options.redirectsFile)),
  );
  const routes =
    options.routesFile === null ? defaultRoutes : readGhostRoutes(await readTextFile(options.routesFile));
  const { now } = options;
  const { timeZone } = sourceZone(source.timeZone, options.timeZone);
  const links = await linksOf({ source, routes, timeZone }, options.addresses);
  const context = { source, routes, links, redirects, now, timeZone };
  const folder = await MediaFolder.open(options.mediaFolder, '', options.fetcher);
  let done = 0;
  return {
    progress: () => ({ done, total: source.posts.length }),
    notes: () => [...routes.leftOut, ...redirects.notes()],
    isTruncated: () => source.isTruncated,
    async *items() {
      for (const [index, row] of source.posts.entries()) {
        yield await readItem(row, index, context, folder);
        done += 1;
      }
    },
  };
}

function linksOf(
  site: Pick<GhostContext, 'source' | 'routes' | 'timeZone'>,
  plan: AddressPlanner,
): Promise<LinksBetweenPosts> {
  const posts = site.source.posts.flatMap((row): LinkedPost[] => {
    const { data: post } = ghostPostSchema.safeParse(row);
    if (!post || post.slug === '') return [];
    const exported = readPortable(site.source.ownPosts.get(post.id));
    if (exported) {
      const { slug, type, parent = '' } = exported;
      const oldAddresses = [exportedPath(exported)];
      return [{ key: keyOf(post), slug, oldAddresses, ...(type === 'page' && { above: `${parent}/` }) }];
    }
    if (!/^(published|scheduled)$/.test(post.status)) return [];
    const { slug } = post;
    const oldAddresses = oldPathsOf(post, slug, site);
    return [{ key: keyOf(post), slug, oldAddresses, ...(isGhostPage(post) && { above: '/' }) }];
  });
  return LinksBetweenPosts.plan(posts, plan);
}

function keyOf({ uuid, id }: GhostPost): string {
  return uuid || id;
}

async function readItem(
  row: unknown,
  index: number,
  context: GhostContext,
  folder: MediaFolder,
): Promise<SourceItem | UnreadableItem> {
  const parsed = ghostPostSchema.safeParse(row);
  if (!parsed.success) return { key: nameOf(row, index), reason: 'It is not a post as Ghost exports them.' };
  const key = keyOf(parsed.data);
  try {
    const { post, warnings } = readGhostPost(parsed.data, context);
    const { media, warnings: addresses } = await folder.findAll(post.body);
    const coverUrl = post.cover;
    post.cover = coverUrl === null ? null : await folder.findPicture(coverUrl, addresses);
    if (coverUrl !== null && post.cover === null)
      addresses.push(`The feature image ${coverUrl} was left out: it is not in a media folder.`);
    const files = [...media.map(({ file }) => file), ...(post.cover === null ? [] : [post.cover])];
    const names = [post.author, post.tags, post.aliases, post.coverAlt, post.seoTitle, post.seoDescription];
    const hash = await hashOfItem([parsed.data, ...names], files, folder);
    const isPartial = context.source.isTruncated;
    return { key, hash, post, isPartial, media, warnings: [...warnings, ...addresses] };
  } catch (error) {
    return { key, reason: reasonToSkip(error) };
  }
}

function nameOf(row: unknown, index: number): string {
  const { uuid, id, slug } = (row ?? {}) as Record<string, unknown>;
  const name = [uuid, id, slug].find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name : `post ${index + 1}`;
}
