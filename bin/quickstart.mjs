// `npm run quickstart`: from a fresh clone to a running site. Plain Node, since nothing is installed yet.
// Keeps existing data when it runs again.
import './require-node.mjs';
import './version.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { isBuilt } from './build-state.mjs';
import { ensureInstalled } from './install.mjs';

const root = path.resolve(import.meta.dirname, '..');
const environmentFile = path.join(root, '.env.local');

// The build compiles what has machine code while it makes the rest.
ensureInstalled(root, { compiles: isBuilt(root) });
const { parse } = await import('dotenv');
let environment = readEnvironment();

// A blank variable is an unset one.
const wantedPort = environment.PORT?.trim() || '3000';
const address = `http://${reachableHost()}:${wantedPort}`;
const WAIT_NOTE_MS = 10_000;

await requireFreePort();
if (!existsSync(environmentFile)) {
  writeEnvironment();
  environment = readEnvironment();
}
// Before the commands, which run what is built.
build();
step('Preparing the database');
npmCommand('db:migrate');
npmCommand('db:seed');
step('Looking for an administrator and posts');
const { administrator, samples } = JSON.parse(npmCommand('quickstart:seed'));
start();

/** The name at which the server answers on this machine: with HOST it may listen on one address only. */
function reachableHost() {
  const host = environment.HOST?.trim();
  if (!host || ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Checked first: otherwise the build would be in vain, and another server could be taken for this one. */
async function requireFreePort() {
  // Not 0, for which the system picks any port: the address of the site must be known.
  if (!/^\d{1,5}$/.test(wantedPort) || Number(wantedPort) < 1 || Number(wantedPort) > 65_535) {
    process.stderr.write(
      `PORT must be a whole number from 1 to 65535, and it is ${wantedPort}: PORT=3000 npm run quickstart\n`,
    );
    process.exit(1);
  }
  const probe = createServer();
  try {
    await once(probe.listen(Number(wantedPort), environment.HOST), 'listening');
  } catch ({ code, message }) {
    const reason =
      code === 'EADDRINUSE' ? 'is in use. End the process that uses it' : `cannot be used: ${message}`;
    const other = wantedPort === '3001' ? '3002' : '3001';
    process.stderr.write(
      `Port ${wantedPort} ${reason}, or use another one: PORT=${other} npm run quickstart\n`,
    );
    process.exit(1);
  }
  probe.close();
  await once(probe, 'close');
}

/** The variables of `.env.local`, if there is one, and of the shell, which take precedence. */
function readEnvironment() {
  const file = existsSync(environmentFile) ? parse(readFileSync(environmentFile)) : {};
  const variables = { ...file, ...process.env };
  // With another PORT in the shell, the address that quickstart has written would be wrong.
  if (file.PORT && variables.PORT !== file.PORT && variables.AUTH_URL === `http://localhost:${file.PORT}`)
    variables.AUTH_URL = `http://localhost:${variables.PORT?.trim() || '3000'}`;
  return variables;
}

function writeEnvironment() {
  step('Writing .env.local with fresh secrets');
  const secret = () => randomBytes(32).toString('base64url');
  const lines = [
    '# Written by npm run quickstart. Every variable: docs/operations/configuration.md',
    'DATABASE_URL=file:./data/dateline.db',
    'SEARCH_HOST=file:./data/search.db',
    `AUTH_SECRET=${secret()}`,
    `AUTH_URL=http://localhost:${wantedPort}`,
    `INTERNAL_CRON_SECRET=${secret()}`,
    `PORT=${wantedPort}`,
  ];
  writeFileSync(environmentFile, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
}

function build() {
  if (isBuilt(root)) return;
  step('Building');
  run(process.execPath, [path.join(root, 'build.mjs')]);
}

function start() {
  step('Starting the server');
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  // Starts what `npm start` starts, but without npm, so that signals reach the server.
  const [, ...startArguments] = scripts.start.split(' ');
  const server = spawn(process.execPath, startArguments, {
    cwd: root,
    // No line for each request: the lines would push the password off the screen.
    env: { LOG_LEVEL: 'warn', ...environment },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
  let isAnnounced = false;
  server.on('exit', (code) => {
    // Only now is the password known: the next run finds an administrator and prints none.
    if (!isAnnounced && administrator.password)
      process.stderr.write(`\nThe site did not start. When it does:\n\n${loginLines()}\n`);
    process.exit(code ?? 1);
  });
  void announceWhenUp(() => (isAnnounced = true));
}

/** Waits as long as the server runs, which may be slow: when it ends, so does this process. */
async function announceWhenUp(noteAnnounced) {
  let notedAt = performance.now();
  while (!(await isUp())) {
    if (performance.now() - notedAt >= WAIT_NOTE_MS) {
      step(`Still waiting for an answer from ${address}/api/health (Ctrl+C stops the server)`);
      notedAt = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  announce();
  noteAnnounced();
}

function isUp() {
  return fetch(`${address}/api/health`, { signal: AbortSignal.timeout(WAIT_NOTE_MS) }).then(
    (answer) => answer.ok,
    () => false,
  );
}

function loginLines() {
  return administrator.password
    ? `  Log in      ${administrator.email}\n  Password    ${administrator.password}   (shown once; change it in the backend)`
    : `  Log in      with your account (forgotten? npm run admin:create creates or resets one)`;
}

function announce() {
  const due = samples.dueAt
    ? `\nOne sample post is due at ${samples.dueAt}. Publish it then with:\n`
    : '\nPublish what is due:\n';
  process.stdout.write(`
Dateline is running.

  Site        ${address}
  Backend     ${address}/${administrator.adminPath}
${loginLines()}
${due}
  npm run posts:publish-scheduled

Let cron do that every 5 minutes:

  */5 * * * * cd ${JSON.stringify(root)} && npm run -s posts:publish-scheduled

Stop with Ctrl+C; start again with npm run quickstart.

`);
}

function npmCommand(name) {
  const result = spawnSync(process.execPath, [path.join(root, 'bin/run.mjs'), name], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
  return result.stdout;
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function step(text) {
  process.stdout.write(`• ${text}\n`);
}
