import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { watchContent } from '#app/web/cache/content-watch.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';

let app: TestApp;
afterEach(() => app.close());

const change = () =>
  app.db.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, contentVersion: 1, updatedAt: app.clock.now() },
    update: { contentVersion: { increment: 1 } },
  });

describe('SQLite', () => {
  /** A writer that has committed when its call returns. */
  const openWriter = async () => {
    app = await createTestApp();
    await change();
    const { database } = app.env;
    if (database.dialect !== 'sqlite') throw new Error('This test needs SQLite.');
    const db = new BetterSqlite3(database.file);
    const commit = db.prepare('UPDATE site_state SET content_version = content_version + 1');
    return { commit: () => commit.run(), close: () => db.close() };
  };

  afterEach(() => vi.useRealTimers());

  test('requests share a check for two milliseconds, and this process’s own writes end that', async () => {
    const writer = await openWriter();
    vi.useFakeTimers({ toFake: ['performance'] });
    const watch = watchContent(app);
    const before = watch.version() as number;
    writer.commit();
    vi.advanceTimersByTime(1);
    expect(watch.version()).toBe(before);
    vi.advanceTimersByTime(1);
    expect(watch.version()).toBe(before + 1);
    writer.commit();
    watch.expire();
    expect(watch.version()).toBe(before + 2);
    watch.close();
    writer.close();
  });

  test('a page that has just been rendered makes the next requests see what it saw', async () => {
    const writer = await openWriter();
    const watch = watchContent(app);
    const before = watch.version() as number;
    writer.commit();
    expect(watch.check()).toBe(before + 1);
    expect(watch.version()).toBe(before + 1);
    watch.close();
    writer.close();
  });
});

test('PostgreSQL: a check now is fresh, whatever was read a moment ago', async () => {
  app = await createTestApp({ dialect: 'postgresql' });
  await change();
  const watch = watchContent(app);
  const before = await watch.version();
  await change();
  // PostgreSQL may have told of the change already.
  expect([before, before + 1]).toContain(await watch.version());
  expect(await watch.check()).toBe(before + 1);
  // PostgreSQL's notification may arrive only now and cause a check of its own.
  expect(await watch.version()).toBe(before + 1);
  watch.close();
});

test('PostgreSQL: a check that a change of this process overtook is nobody else’s', async () => {
  app = await createTestApp({ dialect: 'postgresql' });
  await change();
  const watch = watchContent(app);
  const overtaken = watch.version();
  await change();
  watch.expire();
  const after = watch.version();
  await overtaken;
  expect(await after).toBe((await app.db.siteState.findFirstOrThrow()).contentVersion);
  expect(await watch.version()).toBe(await after);
  watch.close();
});
