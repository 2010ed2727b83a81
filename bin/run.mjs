// Starts `bin/dateline.ts`: the bundle where a build is newer than the source (1.1 s), else the source
// through tsx (2.4 s), so that commands work straight after `npm ci`.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isFresh } from './build-state.mjs';

const root = path.resolve(import.meta.dirname, '..');
const bundle = path.join(root, 'build/bin/dateline.js');

if (isFresh(root, bundle, ['app', 'bin', 'prisma/models.prisma'])) {
  await import(pathToFileURL(bundle).href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(pathToFileURL(path.join(root, 'bin/dateline.ts')).href);
}
