// Servers behind PgBouncer in transaction mode; `db:migrate`, which holds a lock of its session, goes to PostgreSQL itself.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { takeDatabaseLock } from '#app/platform/database/process-lock.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import type { PublishResult } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { hasPgBouncer, startPgBouncer } from '#tests/support/pgbouncer.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

describe.runIf(hasPgBouncer)('PgBouncer in transaction mode', () => {
  let app: TestApp;
  let servers: TestServer[];
  let pooled: Record<string, string>;
  beforeAll(async () => {
    app = await createTestApp({ dialect: 'postgresql', now: new Date() });
    pooled = { ...app.variables, DATABASE_URL: await startPgBouncer(app.variables.DATABASE_URL!) };
    servers = await Promise.all([1, 2].map(() => startServer({ env: pooled })));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await app.close();
  });

  test('two servers save, show each other’s changes within a second and publish once', async () => {
    const [one, other] = servers.map((server) => server.client());
    await logInAsAdministrator(app, one!);
    for (let round = 0; round < 5; round += 1) {
      const fields = { title: `Round ${round}`, slug: `round-${round}`, body: 'x', intent: 'publish' };
      await createPostByForm(one!, fields);
      await expect
        .poll(async () => (await other!.get('/')).text.includes(`/posts/round-${round}`), {
          interval: 100,
        })
        .toBe(true);
    }
    const due = await insertDuePosts(app, 50, () => new Date(Date.now() - 60_000));
    const authorization = 'Bearer test-cron-secret';
    const path = '/api/internal/posts/publish-scheduled';
    const answers = await Promise.all(
      [0, 1, 0, 1].map((index) => servers[index]!.client().send('POST', path, { authorization })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const reported = answers.flatMap((answer) => answer.json<PublishResult>().publishedPostIds);
    expect(reported.toSorted()).toEqual(due.toSorted());
    for (const server of servers) expect((await server.client().get('/api/ready')).status).toBe(200);
  });

  test('a lock that is taken through it is held until it is released, and no longer', async () => {
    const take = (url: string) => takeDatabaseLock(databaseTarget(url), 'uploads', 'exclusive', 0);
    const direct = app.variables.DATABASE_URL!;
    const lock = await take(pooled.DATABASE_URL!);
    expect(lock).toBeDefined();
    expect(await take(direct)).toBeUndefined();
    await lock!.release();
    const again = await vi.waitFor(async () => {
      const taken = await take(direct);
      if (!taken) throw new Error('The lock is still held.');
      return taken;
    }, 60_000);
    await again.release();
  });

  test('migrations go to the address of PostgreSQL beside it', async () => {
    const { code, stderr } = await runCommand(['db:migrate'], { env: app.variables });
    expect([code, stderr]).toEqual([0, '']);
  });
});
