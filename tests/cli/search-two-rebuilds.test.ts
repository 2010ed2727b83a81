import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';
import { expectOnlyOneIndex } from '#tests/support/search-leftovers.ts';

describe('of two rebuilds at once', () => {
  let app: SearchTestApp;
  beforeAll(async () => {
    app = await createSearchApp('typesense', { dialect: 'sqlite' });
    await createPosts(app, 40, { status: 'published' });
  });
  afterAll(() => app?.close());

  test('the one that began first says that another one took over, and exits with 1', async () => {
    const standIn = app.test.standIn!;
    const search = await app.test.another();
    let second: Promise<unknown> | undefined;
    standIn.onImport = async () => {
      // The first one stands still in the middle of its request until the second one is done.
      if (second) return;
      second = reindexPosts({ ...app, search }, { batchSize: 10 });
      await second;
    };
    const first = await runCommand(['search:reindex-posts', '--batch-size', '5'], {
      env: { ...app.variables, LOG_LEVEL: 'info' },
    });
    expect(first.stderr.trim()).toMatch(/^Another rebuild of the search index took over[^\n]*$/);
    expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 1, stdout: '' });
    expect(await second).toMatchObject({ sourceCount: 40, indexedCount: 40 });
    standIn.onImport = null;
    await expectIndexMatches(app, { posts: 40 });
    await expectOnlyOneIndex(app.test);
  });
});
