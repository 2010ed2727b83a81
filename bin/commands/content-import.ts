import { constants, setPriority } from 'node:os';
import type { CommandModule } from 'yargs';
import { schemeProblem } from '#app/import/addresses/permalink-words.ts';
import { dialectNames, type DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { importSources, type ImportSource } from '#app/import/run/sources.ts';
import { flagOption, optionalPathOption, pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  from: ImportSource;
  input: string;
  media?: string;
  redirects?: string;
  routes?: string;
  dialect?: DialectName;
  permalink?: string;
  report?: string;
  'fetch-media': boolean;
  'dry-run': boolean;
  'accept-truncated': boolean;
  'accept-skipped': boolean;
}

const sources = Object.values(importSources);
const oneOf = (words: string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

export const contentImport: CommandModule<object, Arguments> = {
  command: 'content:import',
  describe: `Import posts from ${oneOf(sources.map(({ name }) => name))}; a second run imports only what changed`,
  builder: (yargs) =>
    yargs
      .option('from', {
        choices: Object.keys(importSources) as ImportSource[],
        requiresArg: true,
        demandOption: true,
        describe: 'Where the posts come from',
      })
      .options(
        pathOption(
          'input',
          'folder or file',
          `What was exported: ${oneOf(sources.map(({ input }) => input))}`,
        ),
      )
      .options(optionalPathOption('media', 'folder', 'Folder of uploads whose pictures the posts name'))
      .option('dialect', {
        choices: dialectNames,
        requiresArg: true,
        describe: 'Generator of the Markdown files, instead of the one that is recognised',
      })
      .option('permalink', {
        type: 'string',
        requiresArg: true,
        describe: 'Scheme of the old addresses: /:year/:month/:day/:title',
      })
      .options(
        optionalPathOption(
          'redirects',
          'file',
          'Redirects file (Ghost; WordPress: export of the plug-in Redirection)',
        ),
      )
      .options(optionalPathOption('routes', 'file', 'Routes file of Ghost: the scheme of the old addresses'))
      .options(optionalPathOption('report', 'file', 'File to write: what became of each item, as JSON lines'))
      .option('accept-truncated', flagOption('Exit with 0 although the file is cut off (WordPress, Ghost)'))
      .option('accept-skipped', flagOption('Exit with 0 although more than a tenth was skipped'))
      .option(
        'fetch-media',
        flagOption('Fetch pictures that are elsewhere on the web; they stay where they are otherwise'),
      )
      .option('dry-run', flagOption('Show what would happen; write nothing'))
      .check(({ from, redirects, routes, dialect, permalink }) => {
        if (redirects !== undefined && from !== 'ghost' && from !== 'wordpress')
          throw new Error(`--redirects does not go with --from ${from}.`);
        if (routes !== undefined && from !== 'ghost')
          throw new Error(`--routes does not go with --from ${from}.`);
        if (dialect !== undefined && from !== 'markdown')
          throw new Error(`--dialect does not go with --from ${from}.`);
        const takesFields = dialect === 'hexo';
        const problem = permalink === undefined ? null : schemeProblem(permalink, { takesFields });
        if (problem !== null) throw new Error(`--permalink ${problem}.`);
        return true;
      }),
  handler: async ({
    'dry-run': dryRun,
    'fetch-media': fetchMedia,
    'accept-truncated': acceptTruncated,
    'accept-skipped': acceptSkipped,
    ...options
  }) => {
    // A server on this machine takes precedence. Threads that the command starts inherit the low priority.
    setPriority(constants.priority.PRIORITY_LOW);
    const { withProgress } = await import('../progress.ts');
    const { importFrom } = await import('#app/import/run/import.server.ts');
    const { summaryOf } = await import('#app/import/run/report.ts');
    const { result, problems, notices } = await withApp(
      (app) =>
        withProgress((onProgress) =>
          importFrom(app, { ...options, dryRun, fetchMedia, acceptTruncated, acceptSkipped, onProgress }),
        ),
      'patient',
    );
    process.stderr.write(`${dryRun ? 'Dry run, nothing was written. ' : ''}${summaryOf(result)}\n`);
    for (const line of [...notices, ...problems]) process.stderr.write(`${line}\n`);
    printResult(result);
    if (problems.length > 0) process.exitCode = 1;
  },
};
