// `npm run bench -- publish`: what the trigger costs on both databases.
//   1. Nothing due: 100,000 posts against 1,000 (to stay under 1.5 times).
//   2. 10,000 due posts against the same statements run raw through the driver (to stay under 5 times),
//      and against 2,500 of them for each post (linear: close to 1).
// The search index is not updated, so this measures no search engine.
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import type { App } from '#app/app.ts';
import { createApp } from '#app/compose.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { publishRaw, type RawDriver } from '#tests/support/raw-publishing.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { onBothDatabases, type Place } from './on-both-databases.ts';
import { report } from './report.ts';

const QUIET_RUNS = 40;
const DUE_RUNS = 3;
const DUE = 10_000;
const FEW_DUE = 2_500;
const BODY = '<p>Lorem ipsum dolor sit amet, consetetur sadipscing elitr.</p>\n'.repeat(60);

await onBothDatabases(measure);

async function measure(label: string, { newDatabase }: Place): Promise<void> {
  const quiet = await fastest(
    await quietTrigger(await newDatabase('small'), 1_000),
    await quietTrigger(await newDatabase('large'), 100_000),
    QUIET_RUNS,
  );
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  report(
    `${label}: nothing due, 100,000 posts to 1,000`,
    quiet[1] / quiet[0],
    { atMost: 1.5 },
    `${ms(quiet[1])} to ${ms(quiet[0])}`,
  );
  const few = await dueTrigger(await newDatabase('few'), FEW_DUE);
  const many = await dueTrigger(await newDatabase('many'), DUE);
  const growth = await fastest(few, many, DUE_RUNS);
  const raw = await rawTrigger(await newDatabase('raw'), DUE);
  const cost = await fastest(raw, many, DUE_RUNS);
  report(
    `${label}: ${DUE} due posts to the same statements raw`,
    cost[1] / cost[0],
    { atMost: 5 },
    `${ms(cost[1])} to ${ms(cost[0])}`,
  );
  report(`${label}: a post of ${DUE} due to one of ${FEW_DUE}`, growth[1] / DUE / (growth[0] / FEW_DUE));
  for (const trial of [few, many, raw]) await trial.close();
}

/** Something to be timed again and again. */
interface Trial {
  /** Brings the database to where the run starts; not timed. */
  prepare(): Promise<unknown>;
  run(): Promise<unknown>;
  close(): Promise<unknown>;
}

/**
 * Milliseconds of the fastest run of each: other work of the machine only makes runs slower. The two take turns, so that
 * it affects both.
 */
async function fastest(first: Trial, second: Trial, runs: number): Promise<[number, number]> {
  const best: [number, number] = [Infinity, Infinity];
  for (let run = 0; run < runs; run += 1)
    for (const [index, trial] of [first, second].entries()) {
      await trial.prepare();
      const started = performance.now();
      await trial.run();
      best[index] = Math.min(best[index]!, performance.now() - started);
    }
  return best;
}

async function quietTrigger(url: string, posts: number): Promise<Trial> {
  const app = await open(url);
  await fill(app, posts, 'published', '-1 hour');
  await fill(app, posts / 10, 'scheduled', '1 hour');
  await publishDue(app, 'command');
  return {
    prepare: async () => {},
    run: () => publishDue(app, 'command'),
    close: () => app.db.$disconnect(),
  };
}

async function dueTrigger(url: string, due: number): Promise<Trial> {
  const app = await open(url);
  await publishDue(app, 'command');
  await fill(app, due, 'scheduled', '-1 hour');
  return {
    prepare: () => reset(app),
    run: async () => {
      const { publishedCount } = await publishDue(app, 'command');
      if (publishedCount !== due) throw new Error(`Published ${publishedCount} of ${due}`);
    },
    close: () => app.db.$disconnect(),
  };
}

async function rawTrigger(url: string, due: number): Promise<Trial> {
  const app = await open(url);
  await fill(app, due, 'scheduled', '-1 hour');
  const driver = url.startsWith('file:') ? sqliteDriver(url.slice('file:'.length)) : await pgDriver(url);
  return {
    prepare: () => reset(app),
    run: async () => {
      const count = await publishRaw(driver, () => newId(systemClock));
      if (count !== due) throw new Error(`Published ${count} of ${due}`);
    },
    close: async () => {
      await driver.close();
      await app.db.$disconnect();
    },
  };
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

/** Posts whose publication time is so far from now, in one statement. */
async function fill(app: App, count: number, status: string, away: string): Promise<void> {
  const columns =
    'id, slug, title, body, body_html, status, published_at, content_updated_at, created_at, updated_at';
  const text = `'Post', '${BODY}', '${BODY}', '${status}'`;
  const id = (number: string) => `'${status}-' || ${number}`;
  const now = `strftime('%Y-%m-%dT%H:%M:%f+00:00')`;
  await app.db.$executeRawUnsafe(
    app.env.database.dialect === 'postgresql'
      ? `INSERT INTO posts (${columns}) SELECT ${id('n')}, ${id('n')}, ${text}, now() + interval '${away}', now(), now(), now()
         FROM generate_series(1, ${count}) n`
      : `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
         INSERT INTO posts (${columns}) SELECT ${id('n')}, ${id('n')}, ${text},
           strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', '${away}'), ${now}, ${now}, ${now} FROM numbers`,
  );
}

/** Everything is due again, as if no trigger had come. */
async function reset({ db }: App): Promise<void> {
  await db.post.updateMany({
    where: { status: 'published' },
    data: { status: 'scheduled', hasBeenPublic: false },
  });
  await db.sitemapEntry.deleteMany();
  await db.searchOutbox.deleteMany();
  await db.auditLog.deleteMany();
}
