import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/platform/project.server.ts';

/** The scripts of package.json. */
export const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string> & { start: string };
};

/** What `npm start` gives Node: options and script. */
export const startArguments = scripts.start.split(' ').slice(1);
