import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { watchContent } from '#app/web-server/page-cache/content-watch.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';

let app: TestApp;
afterEach(() => app.close());

const change = () =>
  app.db.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, contentVersion: 1, updatedAt: app.clock.now() },
    update: { contentVersion: { increment: 1 } },
  });

test('SQLite: requests of one turn share a look, the next turn looks again, and a look now is never shared', async () => {
  app = await createTestApp();
  const watch = watchContent(app);
  try {
    const before = watch.version();
    const changed = change();
    // The turn in which the requests came in is not over.
    expect(watch.version()).toBe(before);
    await changed;
    expect(watch.version()).not.toBe(before);
    const seen = watch.currentVersion();
    await change();
    await nextTurn();
    expect(watch.currentVersion()).toBe((seen as number) + 1);
    expect(watch.version()).toBe((seen as number) + 1);
  } finally {
    watch.close();
  }
});

test('PostgreSQL: a look now is fresh, whatever was read a moment ago', async () => {
  app = await createTestApp({ dialect: 'postgresql' });
  const watch = watchContent(app);
  try {
    await change();
    const before = await watch.version();
    await change();
    expect(watch.version()).toBe(before);
    expect(await watch.currentVersion()).toBe(before + 1);
    expect(watch.version()).toBe(before + 1);
  } finally {
    watch.close();
  }
});
