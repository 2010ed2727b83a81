import { describe, expect, it } from 'vitest';
import { passwordMatches } from '#app/auth/passwords.server.ts';
import { openDatabase } from '#app/platform/database.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { secretSettingKeys, settingKeys, storageKeyOf } from '#app/settings/catalogue.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createTestDatabase, describeOnBothDatabases } from '#tests/support/databases.ts';
import { createPost } from '#tests/support/factories.ts';

const run = (app: TestApp, ...args: string[]) => runCommand(args, { env: app.variables });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describeOnBothDatabases('db:migrate and db:seed', (dialect) => {
  it('make an empty database ready, and change nothing the second time', async () => {
    const database = await createTestDatabase(dialect, { empty: true });
    const env = { DATABASE_URL: database.url };
    const migrate = () => runCommand(['db:migrate'], { env });
    const [first, second] = await Promise.all([migrate(), migrate()]);
    const third = await migrate();
    expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
    const applied = [first, second].flatMap(
      (run) => run.json<{ appliedMigrations: string[] }>().appliedMigrations,
    );
    expect(applied).toEqual([...new Set(applied)]);
    expect(third.json()).toEqual({ migrationTag: applied.at(-1), appliedMigrations: [] });

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
    expect(await db.setting.findUnique({ where: { key: 'site_title' } })).toMatchObject({
      value: 'My own title',
    });
    await db.$disconnect();
    await database.drop();
  });
});

describeWithApp('admin:create', (getApp) => {
  it('creates an administrator, and updates the one with that e-mail, whose sessions end', async () => {
    const app = getApp();
    const created = await run(app, 'admin:create', 'Ada@Example.org', 'ada', 'Ada Lovelace', 'correct horse');
    expect(created).toMatchObject({ code: 0, stdout: 'Admin user ready: ada@example.org\n', stderr: '' });
    const user = await app.db.user.findFirstOrThrow();
    expect(user).toMatchObject({
      email: 'ada@example.org',
      username: 'ada',
      displayName: 'Ada Lovelace',
      role: 'administrator',
    });
    await app.db.session.create({
      data: {
        id: 'open',
        userId: user.id,
        createdAt: app.clock.now(),
        lastSeenAt: app.clock.now(),
        expiresAt: minutesAgo(-60),
      },
    });

    const updated = await run(app, 'admin:create', 'ada@example.org', 'countess', 'Ada', 'battery staple');
    expect(updated).toMatchObject({ code: 0, stdout: 'Admin user ready: ada@example.org\n' });
    const now = await app.db.user.findMany();
    expect(now).toMatchObject([{ id: user.id, username: 'countess', displayName: 'Ada' }]);
    expect(await passwordMatches('battery staple', now[0]!.passwordHash)).toBe(true);
    expect(await passwordMatches('correct horse', now[0]!.passwordHash)).toBe(false);
    expect(await app.db.session.count()).toBe(0);
  });
});

describeWithApp('posts:publish-scheduled and posts:status', (getApp) => {
  it('publish what is due, once, and tell what is late', async () => {
    const app = getApp();
    const due = await createPost(app, { status: 'scheduled', slug: 'due', publishedAt: minutesAgo(20) });
    const later = await createPost(app, { status: 'scheduled', slug: 'later', publishedAt: minutesAgo(-60) });

    const late = await run(app, 'posts:status');
    expect(late.code).toBe(1);
    expect(late.json()).toEqual({
      scheduled: 2,
      overdue: 1,
      oldestOverdueAt: due.publishedAt!.toISOString(),
      nextDueAt: later.publishedAt!.toISOString(),
      lastTriggeredAt: null,
      releases: [],
    });

    const first = await run(app, 'posts:publish-scheduled');
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
    const second = await run(app, 'posts:publish-scheduled');
    expect(second.json()).toMatchObject({ publishedCount: 0, publishedPostIds: [], affectedSlugs: [] });

    const fine = await run(app, 'posts:status');
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
