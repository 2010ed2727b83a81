import { stat } from 'node:fs/promises';
import path from 'node:path';
import { exportTargets } from '#app/export/targets.ts';
import { fillPermalink } from '#app/import/addresses/old-permalink.ts';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import { openGhostExport } from '#app/import/ghost/source.server.ts';
import type { DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { openMarkdownFolder } from '#app/import/markdown/source.server.ts';
import { MediaFetcher } from '#app/import/media/fetch.server.ts';
import { MediaFolder } from '#app/import/media/folder.server.ts';
import { hashWithOption } from '#app/import/model/item-hash.server.ts';
import type { ContentSource } from '#app/import/model/post.ts';
import { openBloggerExport } from '#app/import/others/blogger-source.server.ts';
import { openMediumExport } from '#app/import/others/medium-source.server.ts';
import { openSubstackExport } from '#app/import/others/substack-source.server.ts';
import { openTumblrExport } from '#app/import/others/tumblr-source.server.ts';
import { openWordpressExport } from '#app/import/wordpress/source.server.ts';
import type { ImportSource } from './sources.ts';

/** What to read. */
export interface SourceOptions {
  from: ImportSource;
  /** What was exported: a folder or a file, as `importSources` says for each source. */
  input: string;
  /** The folder of uploads. */
  media?: string;
  /** Markdown: the generator that the folder is written for, instead of the one that is recognised. */
  dialect?: DialectName;
  /** The scheme of old addresses, such as `/:year/:month/:day/:title`. */
  permalink?: string;
  /** Pictures that are neither in the input nor in the folder of uploads are fetched. */
  fetchMedia?: boolean;
  /** Ghost: its redirects file. WordPress: an export of the plug-in Redirection. */
  redirects?: string;
  /** Ghost: its `routes.yaml`. */
  routes?: string;
  dryRun: boolean;
  /** Where fetched pictures go. */
  fetchFolder: string;
}

/** Settings of this site that a source needs. */
export interface SiteFacts {
  timeZone: string;
  now: Date;
  siteLanguage: string;
  otherLanguages: readonly string[];
}

/**
 * Opens the source of an import.
 * @param ownFetcher replaces the usual fetcher
 * @throws AppError `invalid_input` when the input is missing or is something else
 */
export async function openSource(
  options: SourceOptions & SiteFacts,
  addresses: AddressPlanner,
  ownFetcher?: MediaFetcher,
): Promise<ContentSource> {
  return withPermalinks(await openByKind(options, addresses, fetcherOf(options, ownFetcher)), options);
}

/** A dry run writes nothing and makes no requests. */
function fetcherOf(
  { fetchMedia, fetchFolder, dryRun }: SourceOptions,
  ownFetcher?: MediaFetcher,
): MediaFetcher | null {
  if (!fetchMedia) return null;
  return dryRun
    ? new MediaFetcher({ isDryRun: true })
    : (ownFetcher ?? new MediaFetcher({ folder: fetchFolder }));
}

/** Adds to each published post the old address that the `permalink` scheme gives it. */
function withPermalinks(
  source: ContentSource,
  { from, permalink, timeZone }: SourceOptions & SiteFacts,
): ContentSource {
  // The source of Markdown applies the scheme itself, since it knows more about a post than the slug.
  if (permalink === undefined || from === 'markdown') return source;
  return {
    ...source,
    async *items() {
      for await (const item of source.items()) {
        if (!('post' in item) || item.post.status !== 'published' || item.post.type === 'page') {
          yield item;
          continue;
        }
        const { slug, category, publishedAt: date, aliases } = item.post;
        const categories = category ? [category.slug || category.name] : [];
        const address = fillPermalink(permalink, {
          date,
          timeZone,
          path: slug,
          name: slug,
          slug,
          categories,
        });
        const post = { ...item.post, aliases: [...aliases, ...(address === null ? [] : [address])] };
        const [hash, formerHash] = [item.hash, item.formerHash ?? item.hash].map((digest) =>
          hashWithOption(digest, permalink),
        );
        yield { ...item, post, hash: hash!, formerHash };
      }
    },
  };
}

/** The folder in which `content:export` puts the media for that system, beside its file. */
async function mediaBeside(from: ImportSource, input: string): Promise<string | null> {
  if (from !== 'wordpress' && from !== 'ghost') return null;
  const folder = path.join(path.dirname(input), exportTargets[from].mediaFolder);
  return (await stat(folder).catch(() => null))?.isDirectory() ? folder : null;
}

/** Exports of hosted services, which do not name the address of the site. */
const openHosted = {
  substack: openSubstackExport,
  medium: openMediumExport,
  blogger: openBloggerExport,
  tumblr: openTumblrExport,
};

async function openByKind(
  { from, input, media, redirects, routes, dialect, permalink, ...site }: SourceOptions & SiteFacts,
  addresses: AddressPlanner,
  fetcher: MediaFetcher | null,
): Promise<ContentSource> {
  const { timeZone, now, siteLanguage, otherLanguages } = site;
  const mediaFolder = media ?? (await mediaBeside(from, input));
  const tools = { timeZone, now, mediaFolder, fetcher, addresses, redirectsFile: redirects ?? null };
  switch (from) {
    case 'markdown':
      return openMarkdownFolder(input, { ...tools, siteLanguage, otherLanguages, dialect, permalink });
    case 'wordpress':
      return openWordpressExport(input, tools);
    case 'ghost':
      return openGhostExport(input, { ...tools, routesFile: routes ?? null });
    default: {
      const media = await MediaFolder.open(mediaFolder, '', fetcher);
      return openHosted[from](input, { now, addresses, media });
    }
  }
}
