import type { CommandModule } from 'yargs';
import { exportTargetNames, type ExportTargetName } from '#app/export/targets.ts';
import { flagOption, pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  to: ExportTargetName;
  output: string;
  revisions: boolean;
}

export const contentExport: CommandModule<object, Arguments> = {
  command: 'content:export',
  describe:
    'Write all posts and their media as Markdown files or for another system; importing them gives the same posts',
  builder: (yargs) =>
    yargs
      .option('to', {
        choices: exportTargetNames,
        requiresArg: true,
        demandOption: true,
        describe: 'Format of the export',
      })
      .options(pathOption('output', 'folder', 'New or empty folder'))
      .option('revisions', flagOption('Write earlier revisions of the posts too, for reading')),
  handler: async ({ to, output, revisions }) => {
    const { withProgress } = await import('../progress.ts');
    const { exportContent } = await import('#app/export/export-content.server.ts');
    const { result, warnings } = await withApp((app) =>
      withProgress((onProgress) => exportContent(app, { to, outputDir: output, revisions, onProgress })),
    );
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    printResult(result);
  },
};
