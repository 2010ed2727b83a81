// `npm run release -- --output <dir>`: an archive of `build/` that needs Node alone, with documents, units and checksums.
import '../require-node.mjs';
import '../version.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isBuilt } from '../build-state.mjs';
import { ensureInstalled } from '../install.mjs';
import { fail, readOptions, report } from './script-options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const usage = 'npm run release -- --output <dir>';
const { output } = readOptions({ output: { type: 'string' } }, usage);
if (!output?.trim()) {
  process.stderr.write(`${usage}\n\n--output is missing.\n`);
  process.exit(2);
}

/** Beside the built folder, whose own files these do not replace. */
const documents = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'README.md', 'docs'];

ensureInstalled(root, { out: 'stderr' });
if (!isBuilt(root)) {
  report('Building');
  run(process.execPath, [path.join(root, 'build.mjs')], root);
}
try {
  process.stdout.write(`${JSON.stringify(makeRelease(path.resolve(output)))}\n`);
} catch (error) {
  fail(error);
}

function makeRelease(target) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'build/package.json'), 'utf8'));
  const folder = `${name}-${version}`;
  const archive = `${folder}-${process.platform}-${process.arch}.tar.gz`;
  const scratch = mkdtempSync(path.join(tmpdir(), 'dateline-release-'));
  try {
    report('Packing');
    const top = path.join(scratch, folder);
    cpSync(path.join(root, 'build'), top, { recursive: true });
    for (const document of documents)
      cpSync(path.join(root, document), path.join(top, document), { recursive: true });
    // What systemd runs, where people look for it.
    cpSync(path.join(root, 'docs/operations/examples'), path.join(top, 'units'), {
      recursive: true,
      filter: (file) => !path.extname(file) || /\.(service|timer)$/.test(file),
    });
    chmodSync(path.join(top, 'bin/dateline'), 0o755);
    mkdirSync(target, { recursive: true });
    run('tar', ['-czf', path.join(target, archive), '--owner=0', '--group=0', folder], scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const sha256 = createHash('sha256')
    .update(readFileSync(path.join(target, archive)))
    .digest('hex');
  writeFileSync(path.join(target, 'SHA256SUMS'), `${sha256}  ${archive}\n`);
  return { version, files: [archive, 'SHA256SUMS'] };
}

function run(command, args, cwd) {
  // stdout belongs to the result.
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error) throw new Error(`${command} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`${path.basename(command)} failed with exit code ${status}.`);
}
