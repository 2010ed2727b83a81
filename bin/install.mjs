// Plain Node, since nothing may be installed yet. Used by `npm run quickstart`, `npm test` and the Dockerfile
// (`node bin/install.mjs [options of npm ci]`).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * True when node_modules contains the packages of the lock file that building and running need, with `dev` those of
 * tests and checks, too. npm keeps a list of the installed packages. Missing optional packages are for other platforms.
 */
export function isInstalled(root, { dev = false } = {}) {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const installedPackages = packagesOf(installed);
  return Object.entries(lockedPackages(root)).every(
    ([name, { version, optional, dev: isDev, devOptional }]) => {
      if (installedPackages[name]) return installedPackages[name].version === version;
      return optional || ((isDev || devOptional) && !dev);
    },
  );
}

/**
 * Installs what is missing of what building and running need, with `dev` what tests and checks need, too.
 * `compiles: false` leaves the machine code to the build (`compilePackages`), which runs beside its compiler.
 */
export function ensureInstalled(root, { dev = false, out = 'stdout', compiles = true } = {}) {
  const scripts = compiles ? [] : ['--ignore-scripts'];
  if (!isInstalled(root, { dev })) {
    // `npm ci` would begin by removing what quickstart has installed.
    if (dev && isInstalled(root)) npm(root, ['install', '--no-save', '--include=dev', ...scripts], out);
    else install(root, [dev ? '--include=dev' : '--omit=dev', ...scripts], out);
  }
  if (compiles && !isCompiled(root)) npm(root, rebuildOf(root), out);
}

/** Runs `npm ci`. Exits when it fails. `out`: where npm's lines go. */
export function install(root, options = [], out = 'stdout') {
  npm(root, ['ci', ...options], out);
}

/**
 * Compiles the packages that have machine code where that is missing, which takes a core for a minute or two.
 * @throws Error when npm fails, which has said why
 */
export async function compilePackages(root) {
  if (isCompiled(root)) return;
  const { command, args, options } = npmCall(root, rebuildOf(root), 'stderr');
  const [status] = await once(spawn(command, args, options), 'close');
  if (status !== 0) throw new Error('npm rebuild failed; its lines above say why.');
}

/** By name: without names npm runs the project's own script, too, beside the build that does the same. */
function rebuildOf(root) {
  const installed = Object.entries(lockedPackages(root)).filter(
    ([name, { hasInstallScript }]) => hasInstallScript && existsSync(path.join(root, name)),
  );
  return ['rebuild', ...new Set(installed.map(([name]) => name.replace(/^.*node_modules\//, '')))];
}

function lockedPackages(root) {
  const { '': _project, ...locked } = packagesOf(path.join(root, 'package-lock.json'));
  return locked;
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function isCompiled(root) {
  return existsSync(path.join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'));
}

/** With the npm that started this process. */
function npm(root, call, out) {
  process[out].write('• Installing packages (a few minutes the first time)\n');
  const { command, args, options } = npmCall(root, call, out);
  const { status, error } = spawnSync(command, args, options);
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

function npmCall(root, call, out) {
  const script = process.env.npm_execpath;
  const [command, before] = script ? [process.execPath, [script]] : ['npm', []];
  return {
    command,
    args: [...before, ...call, '--loglevel=error', '--no-audit', '--no-fund'],
    options: {
      cwd: root,
      stdio: ['ignore', process[out].fd, 'inherit'],
      // SQLite compiles a quarter faster than at the package's own -O3, and queries take the same time.
      env: { CFLAGS: '-O2', ...process.env, ...ownHeaders() },
    },
  };
}

/** Makes packages compile with the headers of the Node installation instead of downloading them. */
function ownHeaders() {
  const prefix = path.resolve(process.execPath, '../..');
  const configured = process.env.npm_config_nodedir;
  return !configured && existsSync(path.join(prefix, 'include/node/node.h'))
    ? { npm_config_nodedir: prefix }
    : {};
}

if (process.argv[1] === import.meta.filename)
  install(path.resolve(import.meta.dirname, '..'), process.argv.slice(2));
