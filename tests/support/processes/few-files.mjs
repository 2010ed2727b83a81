// `npm start` under `ulimit -n` with the number that is given, 256 without one.
import { spawn } from 'node:child_process';
import path from 'node:path';

const start = path.resolve(import.meta.dirname, '../../../bin/start.mjs');
const limit = Number(process.argv[2] ?? 256);
const child = spawn('bash', ['-c', `ulimit -n ${limit} && exec "$0" "$1"`, process.execPath, start], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
process.on('exit', () => child.kill('SIGKILL'));
child.on('close', (code) => process.exit(code ?? 1));
