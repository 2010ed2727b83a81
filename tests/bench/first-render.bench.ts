// `npm run bench -- first-render`: what the first render of a post page costs on PostgreSQL and on SQLite, in milliseconds
// of processor time: of the server, and of PostgreSQL's own processes. The databases take turns within one run. Needs a build.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeApp } from '#app/compose.server.ts';
import { EVERY_PAGE, type PageKey } from '#app/platform/http/page-keys.ts';
import { raiseContentVersion } from '#app/publishing/change/public-effects.server.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { cpuOf, median } from './cpu.ts';
import { runLoad, stopAll } from './http/processes.ts';
import { startSite, type Site } from './http/site.ts';
import { report } from './report.ts';

const POSTS = 1_000;
/** Pages after each change. */
const PAGES = 500;
const CHANGES = 14;
/** The last of them; the first ones warm the server up. */
const COUNTED = 11;
const CONNECTIONS = 16;
const NOTIFIED_MS = 200;
/** Linux counts the ended processes of a parent in hundredths of a second. */
const TICK_MS = 10;

interface Turn {
  site: Site;
  /** Milliseconds a page, after each change. */
  server: number[];
  database: number[];
}

const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-'));
const postgres = await startPostgres();
try {
  await postgres.createDatabase('blog');
  const sites = {
    SQLite: await startSite('sqlite', { posts: POSTS, databaseUrl: `file:${folder}/blog.db`, folder }),
    PostgreSQL: await startSite('postgresql', { posts: POSTS, databaseUrl: postgres.urlOf('blog'), folder }),
  };
  const turns = Object.values(sites).map((site): Turn => ({ site, server: [], database: [] }));
  const [sqlite, postgresql] = [turns[0]!, turns[1]!];
  for (let change = 0; change < CHANGES; change += 1) {
    for (const turn of turns) await measure(turn);
    turns.reverse();
  }
  for (const [label, { server }] of Object.entries({ SQLite: sqlite, PostgreSQL: postgresql }))
    report(
      `${label}: CPU of the server for a first render, ms`,
      median(server.slice(-COUNTED)),
      {},
      rangeOf(server),
    );
  const database = postgresql.database.slice(-COUNTED);
  report("PostgreSQL: CPU of the database's processes, ms", median(database), {}, rangeOf(database));
  const ratios = postgresql.server
    .slice(-COUNTED)
    .map((cost, turn) => cost / sqlite.server.slice(-COUNTED)[turn]!);
  report('server on PostgreSQL to server on SQLite', median(ratios), {}, rangeOf(ratios));
  for (const { app } of Object.values(sites)) await closeApp(app);
} finally {
  stopAll();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A change empties the cache; then each page is asked for once. */
async function measure({ site, server, database }: Turn): Promise<void> {
  const { app } = site;
  await app.db.$transaction((tx) =>
    raiseContentVersion(app, { tx, now: app.clock.now() }, new Set<PageKey>([EVERY_PAGE])),
  );
  // On PostgreSQL the server learns of it by a notification; until then a page would be a hit.
  await sleep(NOTIFIED_MS);
  const paths = site.slugs.slice(-PAGES).map((slug) => `/posts/${slug}`);
  const before = { server: await cpuOf(site.server.pid), database: await cpuOfPostgres() };
  await runLoad({
    origin: site.server.origin,
    paths,
    encoding: 'identity',
    total: PAGES,
    connections: CONNECTIONS,
    folder,
  });
  server.push(((await cpuOf(site.server.pid)) - before.server) / PAGES);
  database.push(((await cpuOfPostgres()) - before.database) / PAGES);
}

/** Of all processes that have ever served this cluster, ended ones too. */
async function cpuOfPostgres(): Promise<number> {
  const [postmaster] = (await readFile(path.join(postgres.dataFolder, 'postmaster.pid'), 'utf8')).split('\n');
  const stat = await readFile(`/proc/${postmaster}/stat`, 'utf8');
  const [userTicks, systemTicks] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  let sum = (Number(userTicks) + Number(systemTicks)) * TICK_MS;
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  for (const pid of children.trim().split(' ')) sum += await cpuOf(Number(pid));
  return sum;
}

function rangeOf(values: number[]): string {
  const counted = values.slice(-COUNTED);
  return `${Math.min(...counted).toFixed(2)} to ${Math.max(...counted).toFixed(2)}`;
}
