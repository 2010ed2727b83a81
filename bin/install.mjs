// Plain Node, since nothing may be installed yet. Used by `npm run quickstart`, `npm test` and the Dockerfile
// (`node bin/install.mjs [options of npm ci]`).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * True when node_modules contains the packages of the lock file that building and running need, with `dev` those of
 * tests and checks, too. npm keeps a list of the installed packages. Missing optional packages are for other platforms.
 */
export function isInstalled(root, { dev = false } = {}) {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installedPackages = packagesOf(installed);
  const { '': _project, ...locked } = packagesOf(path.join(root, 'package-lock.json'));
  return Object.entries(locked).every(([name, { version, optional, dev: isDev, devOptional }]) => {
    if (installedPackages[name]) return installedPackages[name].version === version;
    return optional || ((isDev || devOptional) && !dev);
  });
}

/** Installs what is missing of what building and running need, with `dev` what tests and checks need, too. */
export function ensureInstalled(root, { dev = false, out = 'stdout' } = {}) {
  if (isInstalled(root, { dev })) return;
  // `npm ci` would begin by removing what quickstart has installed.
  if (dev && isInstalled(root)) npm(root, ['install', '--no-save', '--include=dev'], out);
  else install(root, [dev ? '--include=dev' : '--omit=dev'], out);
}

/** Runs `npm ci`. Exits when it fails. `out`: where npm's lines go. */
export function install(root, options = [], out = 'stdout') {
  npm(root, ['ci', ...options], out);
}

/** With the npm that started this process. */
function npm(root, options, out) {
  process[out].write('• Installing packages (a few minutes the first time)\n');
  const script = process.env.npm_execpath;
  const [command, before] = script ? [process.execPath, [script]] : ['npm', []];
  const args = [...before, ...options, '--loglevel=error', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', process[out].fd, 'inherit'],
    env: { ...process.env, ...ownHeaders() },
  });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
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
