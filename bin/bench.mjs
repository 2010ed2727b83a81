// `npm run bench -- <name>` runs `tests/bench/<name>.bench.ts`. Without a name it runs all benches, one after the
// other, and prints a table of all ratios; that takes half an hour on two cores. A ratio over its limit is only
// reported; a bench that cannot run is a failure.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isBuilt } from './build-state.mjs';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'tests/bench');
const ending = '.bench.ts';
const names = readdirSync(folder)
  .filter((entry) => entry.endsWith(ending))
  .map((entry) => entry.slice(0, -ending.length));
const [name, ...rest] = process.argv.slice(2);

if (!isBuilt(root)) {
  // Commands would run from their sources, and the bench would measure the compilation.
  process.stderr.write('The build is older than its sources: run `npm run build` first.\n');
  process.exitCode = 1;
} else if (name === undefined || name.startsWith('--')) runAll();
else if (names.includes(name)) process.exitCode = run(name, rest);
else {
  process.stderr.write(
    `Usage: npm run bench -- <name>, or npm run bench [-- --posts <folder>] for all\nThere are: ${names.join(', ')}\n`,
  );
  process.exitCode = 2;
}

function run(bench, args, env = {}) {
  const command = ['--import', 'tsx', path.join(folder, bench + ending), ...args];
  const { status } = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

function runAll() {
  const { values } = parseArgs({ options: { posts: { type: 'string' } } });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dateline-bench-'));
  const rows = [];
  try {
    for (const bench of names) {
      if (bench === 'relevance' && !values.posts) {
        rows.push([bench, 'left out: needs `-- --posts <folder of Markdown posts>`', '', '', '']);
        continue;
      }
      process.stdout.write(`\n${bench}\n`);
      const file = path.join(folder, bench);
      writeFileSync(file, '');
      const status = run(bench, bench === 'relevance' ? ['--posts', values.posts] : [], {
        BENCH_REPORT: file,
      });
      for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
        const { what, value, wanted, verdict } = JSON.parse(line);
        rows.push([bench, what, value, wanted, verdict]);
      }
      if (status !== 0) {
        rows.push([bench, `ended with exit code ${status}`, '', '', 'FAILED']);
        process.exitCode = 1;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${machine()}\n\n${table(['Bench', 'What', 'Measured', 'Wanted', ''], rows)}`);
}

function machine() {
  const gigabytes = (os.totalmem() / 2 ** 30).toFixed(0);
  const cpus = os.cpus();
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout?.trim();
  const at = new Date().toISOString().slice(0, 10);
  return [
    `${at}${commit ? `, commit ${commit}` : ''}, Node ${process.versions.node}, ${os.type()} ${os.release()}`,
    `${cpus.length} × ${cpus[0]?.model.trim() ?? 'unknown'}, ${gigabytes} GB, load before it ended ${os.loadavg()[0].toFixed(1)}`,
  ].join('\n');
}

function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    `${row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()}\n`;
  return all.map(line).join('');
}
