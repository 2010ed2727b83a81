// `npm run bench -- publish`: what the trigger costs on both databases.
//   1. Nothing due: 100,000 posts against 1,000 (to stay under 1.5 times).
//   2. 10,000 due posts against the same statements run raw through the driver (to stay under 5 times),
//      and against 2,500 of them for each post (linear: close to 1).
// The search index is left out: the engine is somebody else's time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import type { App } from '#app/app.ts';
import { createApp } from '#app/compose.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { publishRaw, type RawDriver } from '#tests/support/raw-publishing.ts';

const QUIET_RUNS = 31;
const DUE = 10_000;
const FEW_DUE = 2_500;
const BODY = '<p>Lorem ipsum dolor sit amet, consetetur sadipscing elitr.</p>\n'.repeat(60);

const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-'));
const postgres = await startPostgres();
try {
  await measure('SQLite', async (name) => `file:${path.join(folder, name)}.db`);
  await measure('PostgreSQL', async (name) => {
    await postgres.createDatabase(name);
    return postgres.urlOf(name);
  });
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(label: string, newDatabase: (name: string) => Promise<string>): Promise<void> {
  const quiet = await quietTriggers(await newDatabase('small'), await newDatabase('large'));
  print(label, 'nothing due, 1,000 posts', `${quiet.small.toFixed(1)} ms`);
  print(label, 'nothing due, 100,000 posts', `${quiet.large.toFixed(1)} ms`);
  print(label, 'ratio (under 1.5)', (quiet.large / quiet.small).toFixed(2));
  const few = await dueTrigger(await newDatabase('few'), FEW_DUE);
  const many = await dueTrigger(await newDatabase('many'), DUE);
  const raw = await rawTrigger(await newDatabase('raw'), DUE);
  print(label, `${DUE} due posts`, `${many.toFixed(0)} ms`);
  print(label, 'a post, against 2,500 due (linear: 1)', (many / DUE / (few / FEW_DUE)).toFixed(2));
  print(label, 'the same statements raw', `${raw.toFixed(0)} ms`);
  print(label, 'ratio (under 5)', (many / raw).toFixed(2));
}

/** Median milliseconds. The two take turns, so that what else the machine does meets both. */
async function quietTriggers(smallUrl: string, largeUrl: string): Promise<{ small: number; large: number }> {
  const small = await quietApp(smallUrl, 1_000);
  const large = await quietApp(largeUrl, 100_000);
  const times = { small: [] as number[], large: [] as number[] };
  for (let run = 0; run < QUIET_RUNS; run += 1) {
    times.small.push(await timed(() => publishDue(small, 'command')));
    times.large.push(await timed(() => publishDue(large, 'command')));
  }
  await small.db.$disconnect();
  await large.db.$disconnect();
  return { small: median(times.small), large: median(times.large) };
}

async function quietApp(url: string, posts: number): Promise<App> {
  const app = await open(url);
  await fill(app, posts, { status: 'published' });
  await fill(app, posts / 10, { status: 'scheduled', publishedAt: new Date(Date.now() + 3_600_000) });
  await publishDue(app, 'command');
  return app;
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

async function dueTrigger(url: string, due: number): Promise<number> {
  const app = await open(url);
  await publishDue(app, 'command');
  await fill(app, due, { status: 'scheduled', publishedAt: new Date(Date.now() - 60_000) });
  const time = await timed(async () => {
    const { publishedCount } = await publishDue(app, 'command');
    if (publishedCount !== due) throw new Error(`Published ${publishedCount} of ${due}`);
  });
  await app.db.$disconnect();
  return time;
}

async function rawTrigger(url: string, due: number): Promise<number> {
  const app = await open(url);
  await fill(app, due, { status: 'scheduled', publishedAt: new Date(Date.now() - 60_000) });
  await app.db.$disconnect();
  const driver = url.startsWith('file:') ? sqliteDriver(url.slice('file:'.length)) : await pgDriver(url);
  const time = await timed(async () => {
    const count = await publishRaw(driver, () => newId(systemClock));
    if (count !== due) throw new Error(`Published ${count} of ${due}`);
  });
  await driver.close();
  return time;
}

function sqliteDriver(file: string): RawDriver {
  const db = new BetterSqlite3(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  return {
    begin: 'BEGIN IMMEDIATE',
    query: async (sql, values = []) => {
      const statement = db.prepare(sql.replace(/\$\d+/g, '?'));
      const bound = values.map((value) => (value instanceof Date ? sqliteTime(value) : value));
      return statement.reader
        ? (statement.all(...bound) as Record<string, unknown>[])
        : (statement.run(...bound), []);
    },
    close: async () => void db.close(),
  };
}

// As Prisma stores it.
function sqliteTime(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

async function pgDriver(url: string): Promise<RawDriver> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    begin: 'BEGIN',
    query: async (sql, values = []) => (await client.query(sql, values)).rows as Record<string, unknown>[],
    close: () => client.end(),
  };
}

async function open(url: string): Promise<App> {
  await prepareTemplate(url);
  const variables = { DATABASE_URL: url, SEARCH_HOST: 'file:/dev/null', AUTH_SECRET: 'x'.repeat(32) };
  return createApp(parseEnv({ ...variables, LOG_LEVEL: 'silent' }, 'server'), { logTo: 'stderr' });
}

async function fill(app: App, count: number, state: { status: string; publishedAt?: Date }): Promise<void> {
  const now = new Date();
  for (let from = 0; from < count; from += 500) {
    await app.db.post.createMany({
      data: Array.from({ length: Math.min(500, count - from) }, (_, index) => {
        const id = newId(systemClock);
        return {
          id,
          slug: `post-${id}`,
          title: `Post ${from + index}`,
          body: BODY,
          bodyHtml: BODY,
          publishedAt: now,
          contentUpdatedAt: now,
          createdAt: now,
          updatedAt: now,
          ...state,
        };
      }),
    });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function print(label: string, what: string, value: string): void {
  process.stdout.write(`${label.padEnd(12)}${what.padEnd(42)}${value.padStart(12)}\n`);
}
