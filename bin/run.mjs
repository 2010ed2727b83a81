// Runs a command: `node bin/run.mjs posts:publish-scheduled`. In the built folder it runs the bundle beside this file. In
// the repository it runs what is built, whatever the sources are: new code must not run on the schema that an upgrade has
// yet to migrate, nor on packages that `npm ci` is replacing. Only before the first build it runs the source through tsx.
import './require-node.mjs';
import './version.mjs';
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

const root = path.resolve(import.meta.dirname, '..');
// While a new build takes the place of the last one, there is no `build` for a moment.
const bundle = ['bin', 'build/bin', 'build.last/bin', 'build.former/bin', 'build/bin']
  .map((folder) => path.join(root, folder, 'dateline.js'))
  .find((file) => existsSync(file));
if (bundle) await import(pathToFileURL(bundle).href);
else {
  const { register } = await import('tsx/esm/api').catch(() => ({}));
  if (register) {
    register();
    await import(pathToFileURL(path.join(root, 'bin/dateline.ts')).href);
  } else {
    process.stderr.write('Nothing is built yet. Run npm run build first.\n');
    process.exitCode = 1;
  }
}
