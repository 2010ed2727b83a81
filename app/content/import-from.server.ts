import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readSetting } from '#app/settings/queries.server.ts';
import { exportTargets } from './export/export-targets.ts';
import { contentName } from './content-name.server.ts';
import { MediaFetcher } from './fetch-media.server.ts';
import { MediaFolder } from './media-folder.server.ts';
import { openBloggerExport } from './blogger/blogger-source.server.ts';
import { openTumblrExport } from './tumblr/tumblr-source.server.ts';
import { openMediumExport } from './medium/medium-source.server.ts';
import { openSubstackExport } from './substack/substack-source.server.ts';
import { openGhostExport } from './ghost/ghost-source.server.ts';
import { importContent, type ImportOptions } from './import-content.server.ts';
import type { ImportResult } from './import-report.ts';
import type { ImportApp } from './import-run.server.ts';
import type { DialectName } from './markdown/dialects.ts';
import { fillPermalink } from './markdown/old-permalink.ts';
import { openMarkdownFolder } from './markdown/markdown-source.server.ts';
import { nothingFound } from './nothing-found.ts';
import { addressPlanner } from './plan-addresses.server.ts';
import type { ContentSource } from './source-post.ts';
import type { ImportSource } from './import-sources.ts';
import { withReportFile } from './report-file.server.ts';
import { openWordpressExport } from './wordpress/wordpress-source.server.ts';

export interface ImportFromOptions extends Omit<ImportOptions, 'source' | 'onItem'> {
  from: ImportSource;
  /** A folder of Markdown files, a WXR file, a Ghost export, an export of Substack, Medium, Blogger or Tumblr. */
  input: string;
  /** The folder of uploads. */
  media?: string;
  /** Markdown: the generator that the folder is written for, instead of the one that is recognised. */
  dialect?: DialectName;
  /** The scheme of old addresses, such as `/:year/:month/:day/:title`. */
  permalink?: string;
  /** Pictures that are neither in the input nor in the folder of uploads are fetched. */
  fetchMedia?: boolean;
  /** Replaces the usual fetcher. */
  fetcher?: MediaFetcher;
  /** Ghost: its redirects file. WordPress: an export of the plug-in Redirection. */
  redirects?: string;
  /** Ghost: its `routes.yaml`. */
  routes?: string;
  /** A file for the report, with one JSON line an item. */
  report?: string;
  /** Accepts a source that is cut off. */
  acceptTruncated?: boolean;
  /** Accepts more than a tenth of skipped items. */
  acceptSkipped?: boolean;
}

export interface ImportOutcome {
  result: ImportResult;
  /** Why the import is not complete, in words, unless the options accept it. What could be read is imported. */
  problems: string[];
  /** Other messages for the user. */
  notices: string[];
}

/**
 * `content:import`: opens the source and imports it.
 * @throws AppError `invalid_input` when the input is not there or is something else.
 */
export async function importFrom(app: ImportApp, options: ImportFromOptions): Promise<ImportOutcome> {
  const { from, dryRun, onProgress, report } = options;
  // A dry run writes nothing and makes no requests.
  const fetcher = options.fetchMedia
    ? dryRun
      ? new MediaFetcher({ isDryRun: true })
      : (options.fetcher ?? new MediaFetcher())
    : null;
  const source = withPermalinks(await openSource(app, options, fetcher), {
    // The source of Markdown applies the scheme itself: it knows more of a post than the slug.
    permalink: from === 'markdown' ? undefined : options.permalink,
    timeZone: await readSetting(app, 'site_timezone'),
  });
  const done = await withReportFile(report, (onItem) =>
    importContent(app, source, { source: from, dryRun, onProgress, onItem }),
  ).finally(() => fetcher?.close());
  const problems: string[] = [];
  const notices: string[] = [];
  const isTruncated = source.isTruncated?.() ?? false;
  if (done.isNothingFound() && !isTruncated) {
    const message = nothingFound(done.result, options);
    done.result.warnings.push(message);
    // An empty export is an empty blog, but a folder of other files may be the wrong folder.
    const mayBeWrong = from === 'markdown' && Object.keys(done.result.ignored).length > 0;
    (mayBeWrong && !options.acceptSkipped ? problems : notices).push(message);
  }
  if (isTruncated && !options.acceptTruncated)
    problems.push('The file is cut off. Export it again, or accept it with --accept-truncated.');
  // The item in which the file ends does not count as skipped.
  const accepted = isTruncated && options.acceptTruncated && source.endsInItem?.() ? 1 : 0;
  if (done.isMuchSkipped(accepted) && !options.acceptSkipped)
    problems.push(
      'More than a tenth of the items was skipped. See the reasons, or accept it with --accept-skipped.',
    );
  return { result: done.result, problems, notices };
}

/** The source with further old addresses of its published posts, by a scheme. */
function withPermalinks(
  source: ContentSource,
  { permalink, timeZone }: { permalink: string | undefined; timeZone: string },
): ContentSource {
  if (permalink === undefined) return source;
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
        yield { ...item, post, hash: contentName(Buffer.from(item.hash + permalink)) };
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

async function openSource(
  app: ImportApp,
  { from, input, media, redirects, routes, dialect, permalink }: ImportFromOptions,
  fetcher: MediaFetcher | null,
): Promise<ContentSource> {
  const timeZone = await readSetting(app, 'site_timezone');
  const now = app.clock.now();
  const mediaFolder = media ?? (await mediaBeside(from, input));
  const addresses = addressPlanner(app, from);
  switch (from) {
    case 'markdown':
      return openMarkdownFolder(input, {
        siteLanguage: await readSetting(app, 'site_language'),
        otherLanguages: await readSetting(app, 'site_languages'),
        timeZone,
        now,
        dialect,
        permalink,
        mediaFolder,
        fetcher,
        addresses,
      });
    case 'wordpress':
      return openWordpressExport(input, {
        timeZone,
        now,
        mediaFolder,
        redirectsFile: redirects ?? null,
        fetcher,
        addresses,
      });
    case 'ghost':
      return openGhostExport(input, {
        timeZone,
        now,
        mediaFolder,
        routesFile: routes ?? null,
        redirectsFile: redirects ?? null,
        fetcher,
        addresses,
      });
    default: {
      const media = await MediaFolder.open(mediaFolder, '', fetcher);
      return openHosted[from](input, { now, addresses, media });
    }
  }
}
