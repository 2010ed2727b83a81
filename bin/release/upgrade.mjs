// `npm run upgrade` in a clone, after `git pull`: builds the new version in a folder of its own while the old one runs,
// makes a backup, migrates, and puts the new version in place once it has answered. `--back` puts the former one back.
// Uses Node alone: the packages that are installed may be those of the old version.
import '../require-node.mjs';
import '../version.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { install, isInstalled } from '../install.mjs';
import { carryOver } from './carry-over.mjs';
import { fail, readOptions, report } from './script-options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const inRoot = (...parts) => path.join(root, ...parts);
const usage = 'npm run upgrade [-- --restart "<command>"] [--no-backup] [--back]';
const options = readOptions(
  { restart: { type: 'string' }, 'no-backup': { type: 'boolean' }, back: { type: 'boolean' } },
  usage,
);

/** Where the new version is made. */
const work = inRoot('.upgrade');
const built = inRoot('build');
const former = inRoot('build.former');
/** What a build is made from. */
const sources = [
  ...['app', 'bin', 'prisma', 'public', 'build.mjs', 'package.json', 'package-lock.json', '.npmrc'],
  ...['tsconfig.json', 'vite.config.ts'],
];
const READY_MS = 180_000;
const OUTPUT_MAX = 20_000;

try {
  const release = lock();
  try {
    const result = options.back ? await goBack() : await upgrade();
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } finally {
    release();
  }
} catch (error) {
  fail(error);
}

async function upgrade() {
  const from = versionOf(built);
  const to = versionOf(root);
  report(`Building ${to} beside ${from ?? 'nothing'}`);
  buildBeside();
  const next = path.join(work, 'build');
  const backup = options['no-backup'] ? null : makeBackup(from, to);
  report('Migrating the database');
  const { appliedMigrations } = runJson(next, ['db:migrate']);
  report('Starting the new version on a free port');
  await requireReady(next);
  report('Putting the new version in place');
  if (fs.existsSync(built)) carryOver(built, next);
  fs.rmSync(former, { recursive: true, force: true });
  replace(next, former);
  replacePackages();
  fs.rmSync(work, { recursive: true, force: true });
  return { from, to, backup, appliedMigrations, ready: true, restarted: restart() };
}

async function goBack() {
  const from = versionOf(built);
  const to = versionOf(former);
  if (to === null)
    throw new Error('There is no former version: npm run upgrade keeps the one that it replaces.');
  report(`Starting ${to} on a free port`);
  // Its own check of the database: it does not get ready on a schema that it cannot use.
  await requireReady(former);
  report(`Putting ${to} back`);
  carryOver(built, former);
  const last = inRoot('build.last');
  fs.rmSync(last, { recursive: true, force: true });
  fs.renameSync(former, last);
  replace(last, former);
  return { from, to, backup: null, appliedMigrations: [], ready: true, restarted: restart() };
}

/** Puts a folder in the place of `build/`, which becomes `kept`. */
function replace(next, kept) {
  const isKept = fs.existsSync(built);
  if (isKept) fs.renameSync(built, kept);
  try {
    fs.renameSync(next, built);
  } catch (error) {
    if (isKept) fs.renameSync(kept, built);
    throw error;
  }
}

/** One upgrade at a time; what a killed one has left is removed. */
function lock() {
  const file = inRoot('.upgrade.pid');
  const holder = Number(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : 0);
  if (holder > 0 && isAlive(holder)) throw new Error(`Another upgrade runs (process ${holder}).`);
  fs.writeFileSync(file, String(process.pid));
  const release = () => fs.rmSync(file, { force: true });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      release();
      process.stderr.write('Stopped. The old version is still in place.\n');
      process.exit(1);
    });
  return release;
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function buildBeside() {
  fs.rmSync(work, { recursive: true, force: true });
  for (const source of sources) {
    if (!fs.existsSync(inRoot(source))) continue;
    fs.cpSync(inRoot(source), path.join(work, source), {
      recursive: true,
      filter: (file) =>
        !file.startsWith(inRoot('public/uploads') + path.sep) && path.basename(file) !== 'generated',
    });
  }
  // The same packages need no second installation.
  if (isInstalled(root)) fs.symlinkSync(inRoot('node_modules'), path.join(work, 'node_modules'));
  else install(work, ['--omit=dev', '--ignore-scripts'], 'stderr');
  run(process.execPath, [path.join(work, 'build.mjs')], { cwd: work, env: process.env }, 'The build failed');
}

/** The packages of the clone, of which nothing that runs makes use, follow the new version. */
function replacePackages() {
  const next = path.join(work, 'node_modules');
  if (fs.lstatSync(next).isSymbolicLink()) return;
  const old = path.join(work, 'old_modules');
  if (fs.existsSync(inRoot('node_modules'))) fs.renameSync(inRoot('node_modules'), old);
  fs.renameSync(next, inRoot('node_modules'));
}

/** A verified backup, made by the version that knows the schema as it is. @returns its folder */
function makeBackup(from, to) {
  if (from === null)
    throw new Error(
      'Nothing is built yet, so no backup of the old version can be made. Run npm run build, or add --no-backup.',
    );
  report('Making a backup');
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const folder = inRoot('backups', `before-${to}-${time}`);
  fs.mkdirSync(inRoot('backups'), { recursive: true, mode: 0o700 });
  runJson(built, ['backup:export', '--output', folder]);
  runJson(built, ['backup:verify', '--input', folder]);
  return folder;
}

/** Starts a build on a free port, waits until it is ready and stops it. */
async function requireReady(build) {
  const port = await freePort();
  const server = spawn(process.execPath, [path.join(build, 'bin/start.mjs')], {
    cwd: root,
    env: { ...environment(), PORT: String(port), HOST: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-OUTPUT_MAX)));
  const ended = once(server, 'close');
  let isOver = false;
  void ended.then(() => (isOver = true));
  const deadline = Date.now() + READY_MS;
  let state = 'no answer';
  try {
    for (;;) {
      if (isOver) throw new Error(`The version does not start: ${lastLine(output)}`);
      if (Date.now() > deadline) throw new Error(`The version did not get ready: ${state}`);
      const answer = await ask(`http://127.0.0.1:${port}/api/ready`);
      if (answer.ok && (await ask(`http://127.0.0.1:${port}/`)).status < 500) return;
      state = answer.text;
      await sleep(200);
    }
  } finally {
    server.kill('SIGTERM');
    await Promise.race([ended, sleep(15_000, undefined, { ref: false }).then(() => server.kill('SIGKILL'))]);
  }
}

async function ask(address) {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    return { ok: answer.ok, status: answer.status, text: (await answer.text()).slice(0, 300) };
  } catch (error) {
    return { ok: false, status: 599, text: error.cause?.message ?? error.message };
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** That of the server: the variables of the shell, which take precedence, and those of `.env.local`. */
function environment() {
  const file = inRoot('.env.local');
  const stored = fs.existsSync(file) ? parseEnv(fs.readFileSync(file, 'utf8')) : {};
  return { ...stored, ...process.env };
}

/** @returns whether the operator's command has restarted the server */
function restart() {
  if (options.restart === undefined) {
    report('Now restart the server: it runs the old version until then');
    return false;
  }
  report('Restarting');
  const { status } = spawnSync('sh', ['-c', options.restart], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return true;
  throw putBack(`The restart command failed with exit code ${status}.`);
}

/** The former version takes its place again, so that whatever starts the server next starts that one. */
function putBack(reason) {
  if (!fs.existsSync(former)) return new Error(reason);
  const last = inRoot('build.last');
  fs.rmSync(last, { recursive: true, force: true });
  fs.renameSync(former, last);
  replace(last, former);
  return new Error(`${reason} The former version is back in its place.`);
}

/** Runs a command of a build. @returns its result */
function runJson(build, args) {
  const { stdout } = run(
    process.execPath,
    [path.join(build, 'bin/run.mjs'), ...args],
    { cwd: root, env: process.env },
    args[0],
  );
  return JSON.parse(stdout);
}

function run(command, args, settings, name) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    ...settings,
    encoding: 'utf8',
    maxBuffer: 100 * 1024 * 1024,
  });
  if (error) throw new Error(`${name}: ${error.message}`);
  if (status !== 0) throw new Error(`${name}: ${lastLine(stderr) || lastLine(stdout)}`);
  return { stdout };
}

/** The line that tells the reason: Node puts a stack trace and its version below it. */
function lastLine(text) {
  const lines = text.trimEnd().split('\n');
  return lines.findLast((line) => /^\s*(\[?\w*Error\b|.*\berror:)/i.test(line))?.trim() ?? lines.at(-1) ?? '';
}

function versionOf(folder) {
  const file = path.join(folder, 'package.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).version : null;
}
