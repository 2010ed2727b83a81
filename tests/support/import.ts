import { importFrom, type ImportFromOptions } from '#app/content/import-from.server.ts';
import type { TestApp } from './app.ts';

/** Imports and gives the result that the command prints. */
export async function importResult(
  app: TestApp,
  options: Omit<ImportFromOptions, 'dryRun'> & { dryRun?: boolean },
) {
  return (await importFrom(app, { dryRun: false, ...options })).result;
}
