import { Readable } from 'node:stream';
import type { ContentSource, SourceEntry, ValidItem } from '#app/import/model/post.ts';
import { yieldAfterLongWork } from '#app/platform/jobs/event-loop.server.ts';
import { POSTS_MAX } from '#app/publishing/change/changed-keys.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { drainOutbox } from '#app/search/background-drain.server.ts';
import { ImportReport, type ItemReport } from './report.ts';
import { ImportRun } from './run.server.ts';
import { importSiteParts } from './write-site-parts.server.ts';

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
export async function importContent(
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
