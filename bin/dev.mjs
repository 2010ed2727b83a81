// `npm run dev`: hot reload, with the environment of `.env.local`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { config } from 'dotenv';

const root = path.resolve(import.meta.dirname, '..');
config({ path: path.join(root, '.env.local'), quiet: true });
process.env.NODE_ENV = 'development';
const cli = path.join(root, 'node_modules/@remix-run/dev/dist/cli.js');
const port = process.env.PORT ?? '3000';
const server = spawn(process.execPath, [cli, 'vite:dev', '--port', port, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));
