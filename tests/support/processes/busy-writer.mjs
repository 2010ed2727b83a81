// A second process that writes to the counter all the time, holding the write lock for some milliseconds
// each time. Prints `ready`, then, after SIGTERM or at the latest a minute, how often it has written.
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';

const db = new BetterSqlite3(process.argv[2], { timeout: 10_000 });
const read = db.prepare('SELECT content_version AS version FROM site_state WHERE id = 1');
const write = db.prepare('UPDATE site_state SET content_version = ? WHERE id = 1');
let written = 0;
let stopped = false;
process.on('SIGTERM', () => (stopped = true));

const readModifyWrite = db.transaction(() => {
  const { version } = read.get();
  const until = performance.now() + 3;
  while (performance.now() < until);
  write.run(version + 1);
});

process.stdout.write('ready\n');
while (!stopped && performance.now() < 60_000) {
  readModifyWrite.immediate();
  written += 1;
  await sleep(1);
}
process.stdout.write(`${written}\n`);
db.close();
