import { drainOutbox } from '#app/search/outbox.server.ts';
import { ImportRun, type ImportApp, type ImportOptions, type ImportResult } from './import-run.server.ts';
import type { ContentSource, ValidItem } from './source-post.ts';

const BATCH_POSTS = 25;
const BATCH_CHARACTERS = 4_000_000;

/**
 * Imports what a source gives: parse → validate → plan → write in batches through the one door. Items that
 * did not change since an earlier run are passed over, so a second run changes nothing and a stopped one goes on. One bad item is
 * skipped with its reason.
 */
export async function importContent(
  app: ImportApp,
  source: ContentSource,
  options: ImportOptions,
): Promise<ImportResult> {
  const run = new ImportRun(app, options);
  let batch: ValidItem[] = [];
  let size = 0;
  for await (const item of source.items()) {
    options.onProgress?.({ step: 'Importing', ...source.progress() });
    const valid = await run.validate(item);
    if (!valid) continue;
    batch.push(valid);
    size += valid.post.body.length;
    if (batch.length < BATCH_POSTS && size < BATCH_CHARACTERS) continue;
    await run.importBatch(batch);
    [batch, size] = [[], 0];
  }
  await run.importBatch(batch);
  run.result.warnings.push(...(source.notes?.() ?? []));
  if (!options.dryRun) await drainOutbox(app, { deadlineMs: null });
  return run.result;
}
