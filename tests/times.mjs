// Writes how long each test file took into times.json, by which tests/plan.ts chooses and orders them:
// `node tests/times.mjs <report.json> …`, reports of vitest's own JSON format (`--reporter=json`). Files that no report
// names keep their time; those that are gone are dropped.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const list = path.join(import.meta.dirname, 'times.json');
const times = JSON.parse(readFileSync(list, 'utf8'));
for (const report of process.argv.slice(2)) {
  for (const { name, startTime, endTime } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const file = name.slice(name.lastIndexOf('/tests/') + 1);
    times[file] = Math.round((endTime - startTime) / 100) / 10;
  }
}
const current = Object.entries(times).filter(([file]) => existsSync(path.join(root, file)));
const sorted = Object.fromEntries(current.sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(list, `${JSON.stringify(sorted, null, 2)}\n`);
