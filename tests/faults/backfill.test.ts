// A migration of the next release that fills a column of many posts in batches (decision 032): killed, run again, and beside
// a server of this release that serves and writes.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '#app/app.ts';
import { databaseMigrationTag } from '#app/platform/database/migrations.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import type { Client } from '#tests/support/http-client.ts';
import { copyNextRelease, NEXT_MIGRATION } from '#tests/support/next-release.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const POSTS = 800;
const later = () => new Date('2099-01-01T00:00:00Z');

let nextRelease: string;
beforeAll(async () => {
  nextRelease = await copyNextRelease();
}, 60_000);

const next = (args: string[], env: Record<string, string>) => runCommand(args, { env, folder: nextRelease });

async function countsOf(app: Pick<App, 'db'>) {
  const [row] = await app.db.$queryRawUnsafe<Record<string, number | bigint | null>[]>(
    `SELECT count(*) AS posts, count(title_length) AS filled, max(times_filled) AS times,
       sum(CASE WHEN title_length <> length(title) THEN 1 ELSE 0 END) AS wrong FROM posts`,
  );
  return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)]));
}

async function recordOf(app: Pick<App, 'db'>) {
  const [row] = await app.db.$queryRawUnsafe<
    { finished: boolean | number | bigint; logs: string | null; steps: number | bigint }[]
  >(
    `SELECT finished_at IS NOT NULL AS finished, logs, applied_steps_count AS steps FROM _prisma_migrations
     WHERE migration_name = '${NEXT_MIGRATION}'`,
  );
  const finished = Boolean(row!.finished);
  return {
    finished,
    progress: finished ? null : (JSON.parse(row!.logs!) as { done: number }),
    version: finished ? row!.logs : null,
    steps: Number(row!.steps),
  };
}

/** Migrates to the next release while the test goes on. */
function startMigration(app: TestApp) {
  const script = path.join(nextRelease, 'bin/run.mjs');
  return startScript(script, ['db:migrate'], { env: app.variables, cwd: nextRelease });
}

async function expectMigrated(migrating: ReturnType<typeof startMigration>): Promise<void> {
  const written = expect.stringContaining(NEXT_MIGRATION) as string;
  expect([await migrating.ended, migrating.stdout()]).toEqual([0, written]);
}

describe.each(firstDialect('sqlite'))('a migration in batches that is killed (%s)', (dialect) => {
  let app: TestApp;
  let tag: string | undefined;
  beforeAll(async () => {
    app = await createTestApp({ dialect });
    await insertDuePosts(app, POSTS, later);
    tag = await databaseMigrationTag(app.db);
  });
  afterAll(() => app?.close());

  test.each([
    ['before:1', 0],
    ['inside:3', 100],
    ['before:2', 200],
  ])('records how far it has come in the commit that fills the rows: %s', async (killAt, least) => {
    const killed = await next(['db:migrate'], { ...app.variables, KILL_AT: killAt });
    expect([killed.code, killed.stdout]).toEqual([null, '']);
    const { finished, progress, steps } = await recordOf(app);
    expect([finished, steps]).toEqual([false, 0]);
    const { posts, filled, times } = await countsOf(app);
    expect(progress!.done).toBe(filled);
    expect(filled).toBeGreaterThanOrEqual(least);
    expect(filled).toBeLessThan(posts!);
    expect(times).toBe(filled === 0 ? 0 : 1);
    expect(killed.stderr).toMatch(new RegExp(`^Filling posts \\(${NEXT_MIGRATION}\\): \\d+ of ${POSTS}\n$`));
  });

  test('counts as applied for nobody: this release does not know it, the next one waits for it', async () => {
    expect(await databaseMigrationTag(app.db)).toBe(tag);
    const early = await next(['posts:status'], app.variables);
    expect([early.code, early.stderr]).toEqual([
      1,
      'The database lacks migrations of this version. Run: npm run db:migrate\n',
    ]);
    const older = await runCommand(['db:migrate'], { env: app.variables });
    expect(older.code).toBe(1);
    expect(older.stderr).toContain(`${NEXT_MIGRATION}, which this version of Dateline does not know`);
    expect((await runCommand(['posts:status'], { env: app.variables })).code).toBe(0);
  });

  test('goes on where it was killed, and is finished when every row is filled', async () => {
    const { done } = (await recordOf(app)).progress!;
    const finished = await next(['db:migrate'], app.variables);
    expect(finished.json()).toEqual({ migrationTag: NEXT_MIGRATION, appliedMigrations: [NEXT_MIGRATION] });
    expect(finished.stderr).toContain(`: ${done} of ${POSTS}\n`);
    expect(await recordOf(app)).toMatchObject({ finished: true, steps: 1 });
    expect((await recordOf(app)).version).toMatch(/^Dateline \d/);
    expect(await countsOf(app)).toEqual({ posts: POSTS, filled: POSTS, times: 1, wrong: 0 });
    expect((await next(['posts:status'], app.variables)).code).toBe(0);
  });

  test('has nothing left to do then', async () => {
    const again = await next(['db:migrate'], app.variables);
    const nothing = { migrationTag: NEXT_MIGRATION, appliedMigrations: [] };
    expect([again.json(), again.stderr]).toEqual([nothing, '']);
  });
});

describe.each(firstDialect('postgresql'))('a migration in batches beside a server (%s)', (dialect) => {
  let app: TestApp;
  let server: TestServer;
  beforeAll(async () => {
    app = await createTestApp({ dialect, now: new Date() });
    await insertDuePosts(app, POSTS, later);
    server = await startServer({ env: app.variables });
  });
  afterAll(async () => {
    await server?.stop();
    await app?.close();
  });

  /** Publishes a post and renames it. @returns its title */
  async function writePost(editor: Client, number: number): Promise<string> {
    const fields = { title: `Beside ${number}`, slug: '', body: 'x' };
    const id = await createPostByForm(editor, { ...fields, intent: 'publish' });
    const title = `${fields.title}, edited`;
    const saved = await editor.post(`/admin/posts/${id}`, { ...fields, title, version: '1', intent: 'save' });
    expect(saved.status).toBe(302);
    return title;
  }

  test('readers and editors are answered, and what they write is filled too', async () => {
    const [editor, reader] = [server.client(), server.client()];
    await logInAsAdministrator(app, editor);
    const migrating = startMigration(app);
    let isOver = false;
    void migrating.ended.then(() => (isOver = true));
    const written: string[] = [];
    const statuses = new Set<number>();
    const write = async () => {
      while (!isOver || written.length < 3) written.push(await writePost(editor, written.length));
    };
    const read = async () => {
      while (!isOver) statuses.add((await reader.get(`/?beside=${statuses.size}`)).status);
    };
    await Promise.all([write(), read()]);
    await expectMigrated(migrating);
    expect([...statuses]).toEqual([200]);
    const posts = POSTS + written.length;
    expect(await countsOf(app)).toMatchObject({ posts, filled: posts, wrong: 0 });
    const titles = await app.db.post.findMany({ where: { status: 'published' }, select: { title: true } });
    expect(titles.map(({ title }) => title).sort()).toEqual(written.sort());
  });
});

/** How many connections to the database wait for a lock. */
async function waitingForLock(app: TestApp): Promise<number> {
  const [row] = await app.db.$queryRawUnsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.count;
}

test('waits for a transaction that holds its rows, without standing in the way of others (postgresql)', async () => {
  const app = await createTestApp({ dialect: 'postgresql' });
  const ids = await insertDuePosts(app, 50, later);
  // The SQL first, then the rows are taken.
  await next(['db:migrate'], { ...app.variables, KILL_AT: 'before:1' });
  const holder = new pg.Client({ connectionString: app.variables.DATABASE_URL });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('UPDATE posts SET excerpt = $1 WHERE id = $2', ['held', ids.sort().at(-1)]);
  const migrating = startMigration(app);
  await expect.poll(() => waitingForLock(app)).toBe(1);
  // The batch holds the other rows for half a second at most.
  await app.db.post.update({ where: { id: ids[0] }, data: { excerpt: 'written meanwhile' } });
  await sleep(1_000);
  await holder.query('COMMIT');
  await holder.end();
  await expectMigrated(migrating);
  expect(await countsOf(app)).toEqual({ posts: 50, filled: 50, times: 1, wrong: 0 });
  await app.close();
});

test('a backup of an older version passes through it on its way into the next one', async () => {
  const first = path.join(projectRoot, 'tests/support/backups/first-version');
  const folder = await tempFolder();
  const variables = {
    DATABASE_URL: `file:${path.join(folder, 'dateline.db')}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
  };
  expect((await next(['db:migrate'], variables)).code).toBe(0);
  // The rows are filled in the scratch database: a kill there leaves the instance empty.
  const importIt = ['backup:import', '--input', first];
  expect((await next(importIt, { ...variables, KILL_AT: 'inside:1' })).code).toBeNull();
  const imported = await next(importIt, variables);
  expect([imported.code, imported.stderr]).toEqual([0, '']);
  expect(imported.json()).toMatchObject({ migratedFrom: '20261121000000_initial' });
});
