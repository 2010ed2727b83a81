import { afterAll, beforeAll, expect, test } from 'vitest';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';

let app: SearchTestApp;
beforeAll(async () => {
  app = await createSearchApp('typesense', { dialect: 'sqlite' });
  await createPosts(app, 3, { status: 'published' });
  await reindexPosts(app, { batchSize: 200 });
});
afterAll(() => app?.close());

test('search:check-index counts documents that another program wrote, and removes them with --repair', async () => {
  const { collections } = app.test.standIn!;
  const [index] = collections.values();
  for (const id of ['written elsewhere', 'with `backticks`, commas', 'a/b'])
    index!.documents.set(id, { id, title: 'Foreign' });
  const run = (...args: string[]) =>
    runCommand(['search:check-index', ...args], { env: { ...app.variables, LOG_LEVEL: 'info' } });
  const counts = { sourceCount: 3, indexedCount: 6, missing: 0, stale: 0, orphaned: 3 };
  const before = await run();
  expect([before.code, before.stderr]).toEqual([1, '']);
  expect(before.json()).toMatchObject({ ...counts, repaired: false });
  const repaired = await run('--repair');
  expect([repaired.code, repaired.stderr]).toEqual([0, '']);
  expect(repaired.json()).toMatchObject({ ...counts, repaired: true });
  expect(index!.documents.size).toBe(3);
  await expectIndexMatches(app, { posts: 3 });
});
