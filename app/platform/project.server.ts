import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/**
 * The folder with package.json and the migrations: the repository, or in a bundle the folder that `npm run build`
 * writes.
 */
export const projectRoot = findRoot(import.meta.dirname);

/** True when this code runs from the folder that `npm run build` writes. */
export const isBuilt = existsSync(path.join(projectRoot, 'web-server.js'));

/** The folder that `npm run build` writes. */
export const buildFolder = isBuilt ? projectRoot : path.join(projectRoot, 'build');

const packageSchema = z.object({ name: z.string(), version: z.string() });

/** Name and version of the application, from package.json. */
export const application = packageSchema.parse(
  JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')),
);

function findRoot(from: string): string {
  if (existsSync(path.join(from, 'package.json')) && existsSync(path.join(from, 'prisma'))) return from;
  const parent = path.dirname(from);
  if (parent === from) throw new Error('The folder with package.json and prisma/ was not found.');
  return findRoot(parent);
}
