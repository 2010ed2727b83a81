import { importFrom, type ImportFromOptions } from '#app/import/run/import.server.ts';
import type { ImportResult } from '#app/import/run/report.ts';
import type { TestApp } from './app.ts';

/** Imports and gives the result that the command prints. */
export async function importResult(
  app: TestApp,
  options: Omit<ImportFromOptions, 'dryRun'> & { dryRun?: boolean },
) {
  return (await importFrom(app, { dryRun: false, ...options })).result;
}

/** `imported` of a result: the given numbers, everything else 0. */
export function counts(expected: Partial<ImportResult['imported']> = {}): ImportResult['imported'] {
  const zero = { posts: 0, pages: 0, categories: 0, tags: 0, media: 0, redirects: 0, comments: 0 };
  return { ...zero, ...expected };
}
