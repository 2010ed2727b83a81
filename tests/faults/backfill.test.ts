// A migration of the next release that fills a column of many posts in batches (decision 032): killed, run again, and beside
// a server of this release that serves and writes.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { App } from '#app/app.ts';
import { databaseMigrationTag } from '#app/platform/migrations.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { dialects } from '#tests/support/databases.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { copyNextRelease, NEXT_MIGRATION } from '#tests/support/next-release.ts';
import { startServer } from '#tests/support/server.ts';
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
  const logs = row!.logs === null ? null : (JSON.parse(row!.logs) as { done: number });
  return { finished: Boolean(row!.finished), logs, steps: Number(row!.steps) };
}

describe.each(dialects)('a migration in batches (%s)', (dialect) => {
  test('goes on where it was killed, and is finished when every row is filled', async () => {
    const app = await createTestApp({ dialect });
    await insertDuePosts(app, POSTS, later);
    const tag = await databaseMigrationTag(app.db);

    for (const [killAt, least] of [
      ['before:1', 0],
      ['inside:3', 100],
      ['before:2', 200],
    ] as const) {
      const killed = await next(['db:migrate'], { ...app.variables, KILL_AT: killAt });
      expect([killed.code, killed.stdout]).toEqual([null, '']);
      const { finished, logs, steps } = await recordOf(app);
      expect([finished, steps]).toEqual([false, 0]);
      const { posts, filled, times } = await countsOf(app);
      // What a batch has written and how far it has come are one commit.
      expect(logs!.done).toBe(filled);
      expect(filled).toBeGreaterThanOrEqual(least);
      expect(filled).toBeLessThan(posts!);
      expect(times).toBe(filled === 0 ? 0 : 1);
      expect(killed.stderr).toMatch(
        new RegExp(`^Filling posts \\(${NEXT_MIGRATION}\\): \\d+ of ${POSTS}\n$`),
      );
    }

    // The schema counts as migrated for nobody: this release does not know the migration, the next one waits for it.
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

    const { done } = (await recordOf(app)).logs!;
    const finished = await next(['db:migrate'], app.variables);
    expect(finished.json()).toEqual({ migrationTag: NEXT_MIGRATION, appliedMigrations: [NEXT_MIGRATION] });
    expect(finished.stderr).toContain(`: ${done} of ${POSTS}\n`);
    expect(await recordOf(app)).toEqual({ finished: true, logs: null, steps: 1 });
    expect(await countsOf(app)).toEqual({ posts: POSTS, filled: POSTS, times: 1, wrong: 0 });
    expect((await next(['posts:status'], app.variables)).code).toBe(0);
    const again = await next(['db:migrate'], app.variables);
    expect([again.json(), again.stderr]).toEqual([
      { migrationTag: NEXT_MIGRATION, appliedMigrations: [] },
      '',
    ]);
    await app.close();
  });

  test('beside a server: readers and editors are answered, and what they write is filled too', async () => {
    const app = await createTestApp({ dialect, now: new Date() });
    await insertDuePosts(app, POSTS, later);
    const server = await startServer({ env: app.variables });
    const editor = server.client();
    await logInAsAdministrator(app, editor);
    const reader = server.client();
    const migrating = startScript(path.join(nextRelease, 'bin/run.mjs'), ['db:migrate'], {
      env: app.variables,
      cwd: nextRelease,
    });
    let isOver = false;
    void migrating.ended.then(() => (isOver = true));
    const written: string[] = [];
    const statuses = new Set<number>();
    const write = async () => {
      while (!isOver || written.length < 3) {
        const fields = { title: `Beside ${written.length}`, slug: '', body: 'x' };
        const id = await createPostByForm(editor, { ...fields, intent: 'publish' });
        const edit = { ...fields, title: `${fields.title}, edited`, version: '1', intent: 'save' };
        expect((await editor.post(`/admin/posts/${id}`, edit)).status).toBe(302);
        written.push(edit.title);
      }
    };
    const read = async () => {
      while (!isOver) statuses.add((await reader.get(`/?beside=${statuses.size}`)).status);
    };
    await Promise.all([write(), read()]);
    expect([await migrating.ended, migrating.stdout()]).toEqual([
      0,
      expect.stringContaining(NEXT_MIGRATION) as string,
    ]);
    expect([...statuses]).toEqual([200]);
    const posts = POSTS + written.length;
    expect(await countsOf(app)).toMatchObject({ posts, filled: posts, wrong: 0 });
    const titles = await app.db.post.findMany({ where: { status: 'published' }, select: { title: true } });
    expect(titles.map(({ title }) => title).sort()).toEqual(written.sort());
    await server.stop();
    await app.close();
  });
});

test('waits for a transaction that holds its rows, without standing in the way of others (postgresql)', async () => {
  const app = await createTestApp({ dialect: 'postgresql' });
  const ids = await insertDuePosts(app, 50, later);
  // The SQL first, then the rows are taken.
  await next(['db:migrate'], { ...app.variables, KILL_AT: 'before:1' });
  const holder = new pg.Client({ connectionString: app.variables.DATABASE_URL });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('UPDATE posts SET excerpt = $1 WHERE id = $2', ['held', ids.sort().at(-1)]);
  const running = startScript(path.join(nextRelease, 'bin/run.mjs'), ['db:migrate'], {
    env: app.variables,
    cwd: nextRelease,
  });
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const isWaiting = async () => (await app.db.$queryRawUnsafe<{ count: number }[]>(waiting))[0]!.count;
  await expect.poll(isWaiting).toBe(1);
  // The batch holds the other rows for half a second at most.
  await app.db.post.update({ where: { id: ids[0] }, data: { excerpt: 'written meanwhile' } });
  await sleep(1_000);
  await holder.query('COMMIT');
  await holder.end();
  expect([await running.ended, running.stdout()]).toEqual([
    0,
    expect.stringContaining(NEXT_MIGRATION) as string,
  ]);
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
