// Imported first: an older Node ended with a stack trace, since it has no `import.meta.dirname`.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const wanted = engines.node.replace('>=', '');
const [[major, minor], [wantedMajor, wantedMinor]] = [process.versions.node, wanted].map((version) =>
  version.split('.').map(Number),
);
if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  process.stderr.write(
    `Dateline needs Node ${wanted} or newer, and this is ${process.version}. Install Node 24.\n`,
  );
  process.exit(1);
}
