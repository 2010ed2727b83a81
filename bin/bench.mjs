// `npm run bench -- <name>`: runs `tests/bench/<name>.bench.ts`; without a name it lists them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'tests/bench');
const [name, ...rest] = process.argv.slice(2);
const file = path.join(folder, `${name}.bench.ts`);

if (!name || !existsSync(file)) {
  const names = readdirSync(folder).filter((entry) => entry.endsWith('.bench.ts'));
  const known = names.map((entry) => entry.replace('.bench.ts', '')).join(', ');
  process.stderr.write(`Usage: npm run bench -- <name>\nThere are: ${known}\n`);
  process.exit(2);
}
const run = spawnSync(process.execPath, ['--import', 'tsx', file, ...rest], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
