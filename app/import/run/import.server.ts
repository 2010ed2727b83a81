import { rm } from 'node:fs/promises';
import { addressPlanner } from '#app/import/addresses/plan.server.ts';
import { postEndings } from '#app/import/markdown/dialects/post-endings.ts';
import { newFetchFolder, type MediaFetcher } from '#app/import/media/fetch.server.ts';
import type { ContentSource } from '#app/import/model/post.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { importContent, type ImportOptions } from './import-content.server.ts';
import { openSource, type SourceOptions } from './choose-source.server.ts';
import { withReportFile } from './report-file.server.ts';
import { type ImportResult, ignoredOf } from './report.ts';
import type { ImportSource } from './sources.ts';

export interface ImportFromOptions
  extends Omit<SourceOptions, 'fetchFolder'>, Omit<ImportOptions, 'source' | 'onItem'> {
  /** For tests: fetches with this one. */
  fetcher?: MediaFetcher;
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
export async function importFrom(app: PublishingContext, options: ImportFromOptions): Promise<ImportOutcome> {
  const { from, dryRun, onProgress, report } = options;
  const fetchFolder = newFetchFolder();
  const source = await openWith(app, { ...options, fetchFolder });
  const done = await withReportFile(report, (onItem) =>
    importContent(app, source, { source: from, dryRun, onProgress, onItem }),
  ).finally(async () => {
    await source.close?.();
    await options.fetcher?.close();
    await rm(fetchFolder, { recursive: true, force: true });
  });
  const problems: string[] = [];
  const notices: string[] = [];
  const isTruncated = source.isTruncated?.() ?? false;
  if (done.isNothingFound() && !isTruncated) {
    const message = noPostsMessage(done.result, options);
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

async function openWith(
  app: PublishingContext,
  { fetcher, ...options }: ImportFromOptions & SourceOptions,
): Promise<ContentSource> {
  const site = {
    timeZone: await readSetting(app, 'site_timezone'),
    now: app.clock.now(),
    siteLanguage: await readSetting(app, 'site_language'),
    otherLanguages: await readSetting(app, 'site_languages'),
  };
  return openSource({ ...options, ...site }, addressPlanner(app, options.from), fetcher);
}

/** The message for an input without posts: what it contains instead, and what to do. */
function noPostsMessage(
  result: Pick<ImportResult, 'ignored' | 'dialect'>,
  { from, input }: { from: ImportSource; input: string },
): string {
  const { count, kinds } = ignoredOf(result);
  const noPosts = `No post was found in ${input}`;
  if (count === 0 && from === 'markdown') return `${noPosts}: it holds no files. ${folderToName}`;
  if (count === 0) return `${noPosts}: the export holds no items. Export again, with all posts.`;
  const ignored = `what is there was ignored (${kinds})`;
  if (from !== 'markdown') return `${noPosts}: ${ignored}. Export again, with all posts.`;
  const { dialect } = result;
  const readsAll = dialect === 'markdown' ? '' : ' --dialect markdown takes each of them as a post.';
  return `${noPosts}, read as ${dialect}: ${ignored}. Posts are files that end in ${postEndings.join(', ')}.${readsAll} ${folderToName}`;
}

const folderToName = 'Name the folder of the whole project, or the one that holds the posts.';
