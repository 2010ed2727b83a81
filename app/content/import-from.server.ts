import { readSetting } from '#app/settings/queries.server.ts';
import { importContent } from './import-content.server.ts';
import type { ImportApp, ImportOptions, ImportResult } from './import-run.server.ts';
import { openMarkdownFolder } from './markdown-source.server.ts';

export interface ImportFromOptions extends Omit<ImportOptions, 'source'> {
  from: 'markdown';
  /** A folder. */
  input: string;
}

/**
 * `content:import`: opens the source and imports it.
 * @throws AppError `invalid_input` when the input is not there.
 */
export async function importFrom(
  app: ImportApp,
  { from, input, ...options }: ImportFromOptions,
): Promise<ImportResult> {
  const timeZone = await readSetting(app, 'site_timezone');
  const source = await openMarkdownFolder(input, { timeZone, now: app.clock.now() });
  return importContent(app, source, { ...options, source: from });
}
