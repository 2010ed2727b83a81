import type { CommandModule } from 'yargs';
import { flagOption, pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  to: 'markdown';
  output: string;
  revisions: boolean;
}

export const contentExport: CommandModule<object, Arguments> = {
  command: 'content:export',
  describe:
    'Save all posts as a folder of Markdown files with their images; it imports again to the same posts',
  builder: (yargs) =>
    yargs
      .option('to', {
        choices: ['markdown'] as const,
        requiresArg: true,
        demandOption: true,
        describe: 'Format of the export',
      })
      .option('output', pathOption('New or empty folder'))
      .option('revisions', flagOption('Save earlier revisions of the posts too, for reading')),
  handler: async ({ output, revisions }) => {
    const { withProgress } = await import('../progress.ts');
    const { exportContent } = await import('#app/content/export-content.server.ts');
    const { result, warnings } = await withApp((app) =>
      withProgress((onProgress) => exportContent(app, { outputDir: output, revisions, onProgress })),
    );
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    printResult(result);
  },
};
