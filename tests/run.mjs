// Plain Node, since nothing may be installed yet: brings the project to where the wanted tests can run, then hands
// over to vitest. Further arguments are vitest's (`npm test -- tests/http/request-guard.test.ts`, `npm test -- tests/unit`).
//   npm test              the quick run: what a change breaks most often (vitest.config.ts)
//   npm run test:ci       what CI runs at each commit: those, and each kind of fault (tests/plan.ts)
//   npm run test:all      every test that exists, in its short form
//   npm run test:nightly  the same in its long form (NIGHTLY=1), then on other versions of Node (.ci/nightly)
//   npm run test:browser, npm run test:faults   one suite
import '../bin/require-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { isBuilt, newest } from '../bin/build-state.mjs';
import { ensureInstalled } from '../bin/install.mjs';
import { chromiumPlaces } from './support/chromium.mjs';

const root = path.resolve(import.meta.dirname, '..');
const inRoot = (...parts) => path.join(root, ...parts);

/** `all`, `commit`, or the suite that vitest.config.ts is to run alone. */
const [first, ...others] = process.argv.slice(2);
const wanted = ['all', 'commit', 'browser', 'faults'].includes(first) ? first : undefined;
const passedOn = wanted ? others : process.argv.slice(2);
const ownChoice = passedOn.some((argument) => /^(--project|tests\b)/.test(argument));

ensureInstalled(root, { dev: true });
generate();
if (wantsBuild()) build();
if (wanted && wanted !== 'faults') {
  findProgram('Chromium', 'chromium-headless-shell', chromiumPlaces);
  // As wide as Arial, by which the fallbacks of late typefaces are measured.
  findProgram('Liberation Sans', 'fonts-liberation', ['/usr/share/fonts/truetype/liberation']);
  findProgram('nginx', 'nginx', ['/usr/sbin/nginx']);
  findProgram('Caddy', 'caddy', ['/usr/bin/caddy']);
}
const vitest = inRoot('node_modules/vitest/vitest.mjs');
// Files that are named run whatever the plan says.
const alone = ownChoice ? 'all' : (wanted ?? 'quick');
if (alone === 'quick') await tellMinutes();
process.exitCode = run(process.execPath, [vitest, 'run', ...passedOn], {
  mayFail: true,
  env: alone === 'all' ? process.env : { ...process.env, DATELINE_TESTS: alone },
});

async function tellMinutes() {
  const { register } = await import('tsx/esm/api');
  register();
  const { quickMinutes } = await import('./plan.ts');
  const cores = availableParallelism();
  step(`Running the quick tests: about ${quickMinutes(root, cores)} minutes with ${cores} cores`);
}

function generate() {
  const models = newest(inRoot('prisma/models.prisma'));
  const isCurrent = (side) =>
    newest(inRoot('prisma', side, 'generated/client.ts')) >
    Math.max(models, newest(inRoot('prisma', side, 'header.prisma')));
  if (['sqlite', 'postgresql'].every(isCurrent)) return;
  step('Generating the database clients');
  run(process.execPath, [inRoot('prisma/generate.mjs')]);
}

// Suites that start the product need it built; a single other file does not.
function wantsBuild() {
  return !ownChoice || passedOn.some((argument) => /http|cli|project|faults|browser/.test(argument));
}

function build() {
  if (isBuilt(root)) return;
  step('Building');
  run(process.execPath, [inRoot('build.mjs')]);
}

function findProgram(name, debianPackage, places) {
  if (places.some((file) => existsSync(file))) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(
      `The browser tests need ${name} at ${places[0]} (Debian: sudo apt-get install ${debianPackage}).\n`,
    );
    process.exit(1);
  }
  step(`Installing ${name}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], { env, quiet: true });
}

function run(command, args, { mayFail = false, quiet = false, env = process.env } = {}) {
  const stdio = ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'];
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0 && !mayFail) process.exit(status ?? 1);
  return status ?? 1;
}

function step(text) {
  process.stdout.write(`• ${text}\n`);
}
