import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { addressPlanner } from '#app/import/addresses/plan.server.ts';
import { postEndings } from '#app/import/markdown/dialects/dialects.ts';
import { newFetchFolder, type MediaFetcher } from '#app/import/media/fetch.server.ts';
import type { ContentSource, SourceEntry, ValidItem } from '#app/import/model/post.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { yieldAfterLongWork } from '#app/platform/jobs/event-loop.server.ts';
import { POSTS_MAX } from '#app/publishing/change/changed-keys.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { openSource, type SourceOptions } from './choose-source.server.ts';
import { type ItemReport, ImportReport, type ImportResult, ignoredOf } from './report.ts';
import { ImportRun } from './run.server.ts';
import type { ImportSource } from './sources.ts';
import { importSiteParts } from './write-site-parts.server.ts';

/**
 * Runs `work` with a report that gets one JSON line an item. The complete file replaces an earlier report when the work
 * is done. A run that fails leaves the earlier one.
 * @param file undefined: no report is wanted
 * @throws AppError `invalid_input` when no file can be made there
 */
async function withReportFile<T>(
  file: string | undefined,
  work: (onItem?: (report: ItemReport) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (file === undefined) return work();
  if (await isOtherFile(file)) throw invalidInput(`${file} is not a report of an import. Name another file.`);
  const temporary = path.join(
    path.dirname(file),
    `.${path.basename(file)}-${randomBytes(6).toString('hex')}`,
  );
  const handle = await open(temporary, 'wx', 0o600).catch((cause: unknown) => {
    throw invalidInput(`The report ${file} cannot be written.`, cause);
  });
  try {
    const result = await work(async (report) => void (await handle.write(`${JSON.stringify(report)}\n`)));
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** True for anything but an earlier report. It must not be overwritten. */
async function isOtherFile(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return false;
  if (!stats.isFile()) return true;
  if (stats.size === 0) return false;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(9), 0, 9, 0);
    return buffer.toString('utf8', 0, bytesRead) !== '{"item":"';
  } finally {
    await handle.close();
  }
}

/** A change of more posts would empty the page caches. */
const BATCH_POSTS = POSTS_MAX;
const BATCH_CHARACTERS = 4_000_000;
/** Items that are read while the texts of a batch are rendered. */
const ITEMS_AHEAD = 32;

export interface ImportOptions {
  source: string;
  dryRun: boolean;
  /** Called with the outcome of each item as soon as it is known. */
  onItem?: (report: ItemReport) => Promise<void>;
  onProgress?: (progress: { step: string; done: number; total: number; items: number }) => void;
}

/**
 * Imports the items of a source: validates them, plans slugs and redirects, writes them in batches. Leaves out items
 * that did not change since an earlier run, so a second run changes nothing and a stopped run continues. An item that
 * cannot be imported is skipped with its reason.
 */
async function importContent(
  app: PublishingContext,
  source: ContentSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const report = new ImportReport(
    { source: options.source, dialect: source.dialect ?? null },
    options.onItem,
  );
  const run = new ImportRun(app, report, options);
  let batch: ValidItem[] = [];
  // Items that refer to a later item.
  const waiting: ValidItem[] = [];
  let size = 0;
  let items = 0;
  const importBatch = async () => {
    await run.importBatch(batch);
    [batch, size] = [[], 0];
  };
  for await (const item of readAhead(source)) {
    options.onProgress?.({ step: 'Importing', ...source.progress(), items: (items += 1) });
    if ('ignored' in item) {
      await report.ignored(item.key, item.ignored);
      continue;
    }
    if ('reason' in item) {
      await report.skipped(item.key, item.reason);
      continue;
    }
    if ('file' in item) {
      await run.importFile(item);
      continue;
    }
    const valid = await run.validate(item);
    if (!valid) continue;
    if (!(await run.isReady(valid))) {
      await importBatch();
      if (!(await run.isReady(valid))) {
        waiting.push(valid);
        continue;
      }
    }
    batch.push(valid);
    size += valid.post.body.length;
    if (batch.length < BATCH_POSTS && size < BATCH_CHARACTERS) continue;
    await importBatch();
  }
  await importBatch();
  await importWaiting(run, waiting);
  const parts = source.siteParts?.();
  if (parts) report.result.warnings.push(...(await importSiteParts(app, options.source, parts, options)));
  report.result.warnings.push(...(source.notes?.() ?? []));
  if (!options.dryRun) await drainOutbox(app, 'command');
  return report;
}

/** The items of a source. Some are read in advance, while worker threads render earlier ones. */
function readAhead(source: ContentSource): AsyncIterable<SourceEntry> {
  const inTurns = async function* () {
    for await (const item of source.items()) {
      yield item;
      // In between, this thread receives the results of the worker threads and gives them more work.
      await yieldAfterLongWork();
    }
  };
  return Readable.from(inTurns(), { highWaterMark: ITEMS_AHEAD }) as AsyncIterable<SourceEntry>;
}

/** Writes each item after the one that it names. Items that name a missing one are written last, with a warning. */
async function importWaiting(run: ImportRun, waiting: ValidItem[]): Promise<void> {
  let rest = waiting;
  while (rest.length > 0) {
    const next: ValidItem[] = [];
    for (const item of rest) {
      if (await run.isReady(item)) await run.importBatch([item]);
      else next.push(item);
    }
    if (next.length === rest.length) break;
    rest = next;
  }
  for (const item of rest) await run.importBatch([item]);
}

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
