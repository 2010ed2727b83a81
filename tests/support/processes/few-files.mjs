// `npm start` under `ulimit -n 256`: more connections than that meet a full table of files.
import { spawn } from 'node:child_process';
import path from 'node:path';

const start = path.resolve(import.meta.dirname, '../../../bin/start.mjs');
const child = spawn('bash', ['-c', 'ulimit -n 256 && exec "$0" "$1"', process.execPath, start], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
process.on('exit', () => child.kill('SIGKILL'));
child.on('close', (code) => process.exit(code ?? 1));
