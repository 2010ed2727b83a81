import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordMatches } from '#app/people/passwords/hash.server.ts';
import { application } from '#app/platform/project.server.ts';
import { openDatabase } from '#app/platform/database/client.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { secretSettingKeys, settingKeys, storageKeyOf } from '#app/settings/catalogue.ts';
import { describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { createTestDatabase, describeOnBothDatabases, type TestDatabase } from '#tests/support/databases.ts';
import { createPost } from '#tests/support/factories.ts';

const { version } = application;
const run = (app: TestApp, ...args: string[]) => runCommand(args, { env: app.variables });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describeOnBothDatabases('an empty database', (dialect) => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase(dialect, { empty: true });
    env = { DATABASE_URL: database.url };
  });
  afterAll(() => database?.drop());

  it('is migrated once by db:migrate, also by two at a time', async () => {
    const migrate = () => runCommand(['db:migrate'], { env });
    const [first, second] = await Promise.all([migrate(), migrate()]);
    const third = await migrate();
    expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
    const applied = [first, second].flatMap(
      (run) => run.json<{ appliedMigrations: string[] }>().appliedMigrations,
    );
    expect(applied).toEqual([...new Set(applied)]);
    expect(third.json()).toEqual({ migrationTag: applied.at(-1), appliedMigrations: [] });
  });

  it('is filled with the settings by db:seed, which changes nothing the second time', async () => {
    const db = await openDatabase(databaseTarget(database.url));
    const seeded = await runCommand(['db:seed'], { env });
    expect(seeded.code, seeded.stderr).toBe(0);
    const { createdKeys, keptKeys } = seeded.json<{ createdKeys: string[]; keptKeys: string[] }>();
    expect(keptKeys).toEqual([]);
    const rows = new Set(settingKeys.map(storageKeyOf));
    expect([...createdKeys, ...secretSettingKeys].sort()).toEqual([...rows].sort());
    await db.setting.update({ where: { key: 'site_title' }, data: { value: 'My own title' } });
    const again = await runCommand(['db:seed'], { env });
    expect(again.json()).toEqual({ createdKeys: [], keptKeys: createdKeys });
    const title = await db.setting.findUnique({ where: { key: 'site_title' } });
    expect(title).toMatchObject({ value: 'My own title' });
    await db.$disconnect();
  });
});

describeWithOneApp('admin:create', (getApp) => {
  it('creates an administrator', async () => {
    const app = getApp();
    const created = await run(app, 'admin:create', 'Ada@Example.org', 'ada', 'Ada Lovelace', 'correct horse');
    expect(created).toMatchObject({ code: 0, stdout: 'Admin user ready: ada@example.org\n', stderr: '' });
    expect(await app.db.user.findFirstOrThrow()).toMatchObject({
      email: 'ada@example.org',
      username: 'ada',
      displayName: 'Ada Lovelace',
      role: 'administrator',
    });
  });

  it('updates the one with that email, whose sessions end', async () => {
    const app = getApp();
    const user = await app.db.user.findFirstOrThrow();
    const times = {
      createdAt: app.clock.now(),
      lastSeenAt: app.clock.now(),
      expiresAt: minutesAgo(-60),
    };
    await app.db.session.create({ data: { id: 'open', userId: user.id, ...times } });
    const updated = await run(app, 'admin:create', 'ada@example.org', 'countess', 'Ada', 'battery staple');
    expect(updated).toMatchObject({ code: 0, stdout: 'Admin user ready: ada@example.org\n' });
    const now = await app.db.user.findMany();
    expect(now).toMatchObject([{ id: user.id, username: 'countess', displayName: 'Ada' }]);
    expect(await passwordMatches('battery staple', now[0]!.passwordHash)).toBe(true);
    expect(await passwordMatches('correct horse', now[0]!.passwordHash)).toBe(false);
    expect(await app.db.session.count()).toBe(0);
  });
});

describeWithOneApp('of a post that is late and one that is not yet due', (getApp) => {
  let due: { id: string; publishedAt: Date | null };
  let later: { publishedAt: Date | null };
  beforeAll(async () => {
    const app = getApp();
    due = await createPost(app, { status: 'scheduled', slug: 'due', publishedAt: minutesAgo(20) });
    later = await createPost(app, { status: 'scheduled', slug: 'later', publishedAt: minutesAgo(-60) });
  });

  it('posts:status tells the late one, and fails', async () => {
    const late = await run(getApp(), 'posts:status');
    expect(late.code).toBe(1);
    expect(late.json()).toEqual({
      scheduled: 2,
      overdue: 1,
      oldestOverdueAt: due.publishedAt!.toISOString(),
      nextDueAt: later.publishedAt!.toISOString(),
      lastTriggeredAt: null,
      releases: [],
    });
  });

  it('posts:publish-scheduled publishes the late one', async () => {
    const first = await run(getApp(), 'posts:publish-scheduled');
    expect(first.code, first.stderr).toBe(0);
    const { triggeredAt } = first.json<{ triggeredAt: string }>();
    expect(triggeredAt).toBe(new Date(triggeredAt).toISOString());
    expect(first.json()).toEqual({
      publishedCount: 1,
      publishedPostIds: [due.id],
      affectedSlugs: ['due'],
      triggeredAt,
    });
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  it('posts:publish-scheduled publishes it once; posts:status then exits with 0', async () => {
    const second = await run(getApp(), 'posts:publish-scheduled');
    expect(second.json()).toMatchObject({ publishedCount: 0, publishedPostIds: [], affectedSlugs: [] });
    const fine = await run(getApp(), 'posts:status');
    expect(fine.code).toBe(0);
    expect(fine.json()).toEqual({
      scheduled: 1,
      overdue: 0,
      oldestOverdueAt: null,
      nextDueAt: later.publishedAt!.toISOString(),
      lastTriggeredAt: second.json<{ triggeredAt: string }>().triggeredAt,
      releases: [],
    });
  });
});

describe('--version', () => {
  it.each([['posts:status'], ['backup:import'], ['admin:create'], ['doctor']])('of %s', async (name) => {
    expect(await runCommand([name, '--version'])).toMatchObject({
      code: 0,
      stdout: `dateline ${version}\n`,
      stderr: '',
    });
  });

  it('needs no command, and the server has it too', async () => {
    const expected = { code: 0, stdout: `dateline ${version}\n` };
    expect(await runCommand(['--version'])).toMatchObject(expected);
    const server = startScript('bin/start.mjs', ['--version']);
    expect({ code: await server.ended, stdout: server.stdout() }).toEqual(expected);
  });
});

describe('help', () => {
  it('needs no database', async () => {
    const all = await runCommand(['--help']);
    expect(all).toMatchObject({ code: 0, stderr: '' });
    for (const name of ['db:migrate', 'backup:import', 'content:import']) expect(all.stdout).toContain(name);
    const one = await runCommand(['backup:export', '--help']);
    expect(one.code).toBe(0);
    expect(one.stdout).toContain('--include-secrets');
  });
});
