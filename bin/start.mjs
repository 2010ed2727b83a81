// `npm start`: the production server, with the environment of the process. It does not read `.env.local`.
import './require-node.mjs';
import './version.mjs';
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import './small-heap.mjs';

// From Node 22 on a restart loads what the last start has compiled.
module.enableCompileCache?.();
// A blank variable is an unset one.
process.env.NODE_ENV = process.env.NODE_ENV?.trim() || 'production';
// In the built folder the server is beside `bin`, in the repository in `build`.
const server = ['../web-server.js', '../build/web-server.js']
  .map((file) => path.resolve(import.meta.dirname, file))
  .find((file) => existsSync(file));
if (!server) fail('There is no build yet. Run: npm run build');
// The server handles signals once it listens. Until then a signal ends the process, also where it is process 1, which
// ignores signals without a handler: a container that was stopped while it started ran on until it was killed.
const end = () => process.exit(0);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
try {
  await import(pathToFileURL(server).href);
} catch (error) {
  // Loading the program's own files can exceed the limit.
  if (error?.code !== 'EMFILE') throw error;
  fail('The process may not open enough files (EMFILE). Allow at least 1024: ulimit -n 1024');
}
for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, end);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
