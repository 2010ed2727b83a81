// Every entry imports this early: `--version` needs neither a database nor a build.
import { readFileSync } from 'node:fs';

const options = process.argv.slice(2);
const end = options.indexOf('--');
if (options.slice(0, end === -1 ? undefined : end).includes('--version')) {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${name} ${version}\n`);
  process.exit(0);
}
