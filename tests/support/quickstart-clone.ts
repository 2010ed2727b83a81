import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/platform/project.server.ts';
import { tempFolder } from './temp-folder.ts';

/** For `cpSync`. With their times: the build counts as newer than its sources. */
export const copied = { recursive: true, preserveTimestamps: true };

/** The variables of a quickstart without `.env.local`. */
export const variables = {
  DATABASE_URL: 'file:./data/a.db',
  AUTH_URL: 'http://localhost:3000',
  HOST: '127.0.0.1',
};

/** Makes a clone that is installed and built, but never ran. The build is large. @returns its folder */
export async function makeClone(): Promise<string> {
  const clone = path.join(await tempFolder(), 'clone');
  mkdirSync(clone);
  for (const name of ['bin', 'build', 'package.json', 'package-lock.json', 'build.mjs', 'vite.config.ts'])
    cpSync(path.join(projectRoot, name), path.join(clone, name), copied);
  for (const name of ['node_modules', 'app', 'prisma', 'public'])
    symlinkSync(path.join(projectRoot, name), path.join(clone, name));
  writeFileSync(path.join(clone, '.env.local'), '');
  return clone;
}
