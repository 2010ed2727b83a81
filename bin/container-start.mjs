// What a container runs: migrate, seed, serve. The same process becomes the server, so signals reach the server
// directly. The server starts even without a database: health answers, pages say 503, and it migrates when it reaches
// the database.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 5_000;
const steps = ['db:migrate', 'db:seed'];

let step;
const forward = (signal) => {
  step?.kill(signal);
  process.exit(0);
};
process.once('SIGTERM', forward);
process.once('SIGINT', forward);

const prepared = await prepare();
await import('./start.mjs');
process.off('SIGTERM', forward);
process.off('SIGINT', forward);
if (!prepared) void keepPreparing();

async function keepPreparing() {
  do await sleep(RETRY_MS, undefined, { ref: false });
  while (!(await prepare()));
}

/** @returns true when every step succeeded; a step that fails prints the reason on stderr */
async function prepare() {
  for (const name of steps) if ((await run(name)) !== 0) return false;
  return true;
}

function run(name) {
  return new Promise((resolve) => {
    // Without `npm`, which the container does not need. Results go to the log.
    step = spawn(process.execPath, [path.join(import.meta.dirname, 'run.mjs'), name], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    step.on('error', () => resolve(1));
    step.on('close', resolve);
  });
}
