import type { CommandModule } from 'yargs';
import { pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  from: 'markdown';
  input: string;
  'dry-run': boolean;
}

export const contentImport: CommandModule<object, Arguments> = {
  command: 'content:import',
  describe: 'Import posts from a folder of Markdown files; run again, it brings only what changed',
  builder: (yargs) =>
    yargs
      .option('from', {
        choices: ['markdown'] as const,
        requiresArg: true,
        demandOption: true,
        describe: 'What the posts come from',
      })
      .option('input', pathOption('Folder of Markdown files'))
      .option('dry-run', {
        type: 'boolean',
        default: false,
        describe: 'Say what would happen and write nothing',
      }),
  handler: async ({ from, input, 'dry-run': dryRun }) => {
    const { withProgress } = await import('../progress.ts');
    const { importFrom } = await import('#app/content/import-from.server.ts');
    printResult(
      await withApp((app) =>
        withProgress((onProgress) => importFrom(app, { from, input, dryRun, onProgress })),
      ),
    );
  },
};
