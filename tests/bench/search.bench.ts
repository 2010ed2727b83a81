// `npm run bench -- search [--posts 1000,10000,100000]`: what the embedded engine costs.
//   1. A rebuild through the product (database → documents → index) against a raw FTS5 bulk insert of the same
//      text: documents per second within 2 times. Each rebuild runs in a process of its own after a first one
//      there: the database client's first queries take half a second, however many posts there are. Both take
//      turns, more where a rebuild is so short that V8 is not done compiling after a few, and of the runs of
//      either the fastest counts: other work of the machine only makes them slower.
//   2. Peak memory of the rebuild: at 100,000 posts under 1.3 times that at 10,000.
//   3. Queries over the largest index: median and 99th percentile for kinds of queries.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { textFromHtml } from '#app/search/text-from-html.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { randomPost, seededRandom } from './random-posts.ts';
import { report } from './report.ts';

const QUERIES: [kind: string, texts: string[]][] = [
  ['one word', ['harbour', 'kelurado', 'tiramo', 'lighthouse', 'vasonelu']],
  ['two words', ['harbour light', 'tiramo kelurado', 'winter ferry', 'lighthouse keeper']],
  ['prefix', ['lighth', 'kelu', 'harb', 'tir']],
  ['typo', ['harbuor', 'lighthuose', 'kelurdao', 'wintre ferry']],
  ['CJK', ['検索', '数据库', '全文検索', '东京']],
];
const RUNS = 200;

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '1000,10000,100000' },
    rebuild: { type: 'string' },
    times: { type: 'string' },
  },
});
if (values.rebuild) await rebuildHere(values.rebuild, Number(values.times));
else await measure(values.posts.split(',').map(Number));

async function measure(sizes: number[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-'));
  const peaks: number[] = [];
  try {
    for (const size of sizes) {
      const place = path.join(folder, String(size));
      const [turns, runs] = size > 10_000 ? [1, 1] : size > 1_000 ? [3, 5] : [3, 20];
      await fill(place, size);
      let [ours, raw, peakMb] = [Infinity, Infinity, 0];
      for (let turn = 0; turn < turns; turn += 1) {
        const rebuilds = inOwnProcess(place, runs + 1);
        ours = Math.min(ours, rebuilds.milliseconds);
        peakMb = Math.max(peakMb, rebuilds.peakMb);
        for (let run = 0; run < runs; run += 1) raw = Math.min(raw, await rawInsert(place, size));
      }
      peaks.push(peakMb);
      report(
        `rebuild of ${size} posts to a raw FTS5 insert`,
        ours / raw,
        { atMost: 2 },
        `${rate(size, ours)} to ${rate(size, raw)} posts/s, peak ${peakMb.toFixed(0)} MB`,
      );
    }
    if (peaks.length > 1)
      report(
        `rebuild: peak memory, ${sizes.at(-1)} posts to ${sizes.at(-2)}`,
        peaks.at(-1)! / peaks.at(-2)!,
        // With fewer posts most of the memory is what every process needs.
        sizes.at(-2)! < 10_000 ? {} : { atMost: 1.3 },
      );
    await measureQueries(path.join(folder, String(sizes.at(-1)!)), sizes.at(-1)!);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inOwnProcess(place: string, times: number): { milliseconds: number; peakMb: number } {
  const script = fileURLToPath(import.meta.url);
  const run = spawnSync(
    process.execPath,
    ['--import', 'tsx', script, '--rebuild', place, '--times', `${times}`],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return JSON.parse(run.stdout) as { milliseconds: number; peakMb: number };
}

async function rebuildHere(place: string, rebuilds: number): Promise<void> {
  const app = await open(place);
  let milliseconds = Infinity;
  for (let run = 0; run < rebuilds; run += 1) {
    for (const ending of ['', '-wal', '-shm']) await rm(`${place}.search.db${ending}`, { force: true });
    const started = performance.now();
    await reindexPosts(app, { batchSize: 200 });
    if (run > 0) milliseconds = Math.min(milliseconds, performance.now() - started);
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ milliseconds, peakMb }));
  await closeApp(app);
}

/** The same text in the shortest way: one table, one transaction, SQLite's own tokenizer, written to the disk. */
async function rawInsert(place: string, size: number): Promise<number> {
  const app = await open(place);
  for (const ending of ['', '-wal', '-shm']) await rm(`${place}.raw.db${ending}`, { force: true });
  const db = new BetterSqlite3(`${place}.raw.db`);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE VIRTUAL TABLE posts USING fts5(title, excerpt, about, body, tokenize = "unicode61")');
  const insert = db.prepare('INSERT INTO posts (title, excerpt, about, body) VALUES (?, ?, ?, ?)');
  let spent = 0;
  const timed = (work: () => void) => {
    const started = performance.now();
    work();
    spent += performance.now() - started;
  };
  timed(() => db.exec('BEGIN'));
  for (let after = '', done = 0; done < size;) {
    const posts = await app.db.post.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: 500,
      select: { id: true, title: true, excerpt: true, bodyHtml: true },
    });
    const rows = posts.map(({ title, excerpt, bodyHtml }) => [title, excerpt, '', textFromHtml(bodyHtml)]);
    timed(() => rows.forEach((row) => insert.run(...row)));
    after = posts.at(-1)!.id;
    done += posts.length;
  }
  timed(() => db.exec('COMMIT'));
  db.close();
  await closeApp(app);
  return spent;
}

async function measureQueries(place: string, size: number): Promise<void> {
  const app = await open(place);
  for (const [kind, texts] of QUERIES) {
    const times: number[] = [];
    let total = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const text = texts[run % texts.length]!;
      const query = { text, categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10 };
      const started = performance.now();
      const result = await app.search.search(query, { timeoutMs: 60_000 });
      times.push(performance.now() - started);
      total += result.total;
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    const detail = `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, ${Math.round(total / RUNS)} hits`;
    report(`query of ${kind} over ${size} posts, p99 to p50`, at(0.99) / at(0.5), {}, detail);
  }
  await closeApp(app);
}

async function fill(place: string, size: number): Promise<void> {
  await prepareTemplate(`file:${place}.db`);
  const app = await open(place);
  const random = seededRandom(size);
  const now = new Date();
  for (let from = 0; from < size; from += 500) {
    const count = Math.min(500, size - from);
    const data = Array.from({ length: count }, (_, index) => {
      const id = newId(systemClock);
      const times = { publishedAt: now, contentUpdatedAt: now, createdAt: now, updatedAt: now };
      return { id, slug: id, status: 'published', ...randomPost(random, from + index), ...times };
    });
    await app.db.post.createMany({ data });
  }
  await closeApp(app);
}

function open(place: string): Promise<App> {
  const variables = {
    DATABASE_URL: `file:${place}.db`,
    SEARCH_HOST: `file:${place}.search.db`,
    AUTH_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
  };
  return createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
}

function rate(count: number, milliseconds: number): string {
  return ((count * 1000) / milliseconds).toFixed(0);
}
