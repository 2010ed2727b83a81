// Runs a command: `node bin/run.mjs posts:publish-scheduled`. In the built folder it runs the bundle beside this file.
// In the repository it runs the built bundle if no source is newer. Otherwise it runs the source through tsx, so that
// commands work right after `npm ci`.
import './require-node.mjs';
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import './small-heap.mjs';

// Keeps V8 from optimising Prisma's WebAssembly in the background, a third of the processor time of a short command:
// the command ends before faster code would pay off.
setFlagsFromString('--wasm-tiering-budget=100000000');
// From Node 22.1 on, compiled code is kept in the folder for temporary files.
module.enableCompileCache?.();

const beside = path.join(import.meta.dirname, 'dateline.js');
if (existsSync(beside)) await import(pathToFileURL(beside).href);
else await runInRepository();

async function runInRepository() {
  const { isFresh } = await import('./build-state.mjs');
  const root = path.resolve(import.meta.dirname, '..');
  const bundle = path.join(root, 'build/bin/dateline.js');
  if (isFresh(root, bundle, ['app', 'bin', 'prisma/models.prisma'])) {
    await import(pathToFileURL(bundle).href);
    return;
  }
  const { register } = await import('tsx/esm/api');
  register();
  await import(pathToFileURL(path.join(root, 'bin/dateline.ts')).href);
}
