import { drainOutbox } from '#app/search/background-drain.server.ts';
import { ImportReport, type ImportResult, type ItemReport } from './import-report.ts';
import { ImportRun, type ImportApp } from './import-run.server.ts';
import type { ContentSource, ValidItem } from './source-post.ts';

const BATCH_POSTS = 25;
const BATCH_CHARACTERS = 4_000_000;

export interface ImportOptions {
  source: string;
  dryRun: boolean;
  /** Gets what became of each item as soon as it is known. */
  onItem?: (report: ItemReport) => Promise<void>;
  onProgress?: (progress: { step: string; done: number; total: number; items: number }) => void;
}

/**
 * Imports the items of a source: validates them, plans slugs and redirects, writes them in batches. Leaves out items
 * that did not change since an earlier run, so a second run changes nothing and a stopped run continues. An item that
 * cannot be imported is skipped with its reason.
 */
export async function importContent(
  app: ImportApp,
  source: ContentSource,
  options: ImportOptions,
): Promise<ImportResult> {
  const report = new ImportReport(
    { source: options.source, dialect: source.dialect ?? null },
    options.onItem,
  );
  const run = new ImportRun(app, report, options);
  let batch: ValidItem[] = [];
  let size = 0;
  let items = 0;
  for await (const item of source.items()) {
    options.onProgress?.({ step: 'Importing', ...source.progress(), items: (items += 1) });
    if ('ignored' in item) {
      await report.ignored(item.key, item.ignored);
      continue;
    }
    if ('reason' in item) {
      await report.skipped(item.key, item.reason);
      continue;
    }
    const valid = await run.validate(item);
    if (!valid) continue;
    batch.push(valid);
    size += valid.post.body.length;
    if (batch.length < BATCH_POSTS && size < BATCH_CHARACTERS) continue;
    await run.importBatch(batch);
    [batch, size] = [[], 0];
  }
  await run.importBatch(batch);
  report.result.warnings.push(...(source.notes?.() ?? []));
  if (!options.dryRun) await drainOutbox(app, 'command');
  return report.result;
}
