import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSearchEngine } from '#app/compose.server.ts';
import { readReadiness } from '#app/operations/readiness.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';
import { noFaults, type TypesenseFaults } from '#tests/support/typesense-stand-in.ts';

let app: SearchTestApp;
beforeEach(async () => {
  app = await createSearchApp('typesense', { dialect: 'sqlite' });
  await createPost(app, { intent: 'publish', fields: { title: 'First' }, editorId: null });
  // On a busy machine a save does not wait until the index has it.
  await app.drains.ended();
});
afterEach(() => app.close());

describe.each<[string, Partial<TypesenseFaults>]>([
  ['skips writes', { busy: 'skips writes' }],
  ['has too many requests', { busy: 'too many requests' }],
  ['is out of memory', { outOf: 'OUT_OF_MEMORY' }],
])('a Typesense that %s', (_, faults) => {
  it('refuses no document: the posts wait, few requests are made, and they follow later', async () => {
    const { standIn } = app.test;
    Object.assign(standIn!.faults, faults);
    await insertDuePosts(app, 150, () => app.clock.now());
    const before = standIn!.requests.length;
    await publishDue(app, 'command');
    expect(standIn!.requests.length - before).toBeLessThan(20);
    const waiting = await app.db.searchOutbox.findMany();
    expect(waiting).toHaveLength(150);
    expect(waiting.filter(({ attempts, lastError }) => attempts > 0 || lastError !== '')).toEqual([]);
    Object.assign(standIn!.faults, noFaults());
    await publishDue(app, 'command');
    await expectIndexMatches(app, { posts: 151 });
  });

  it('does not end a rebuild when it is only for a moment', async () => {
    await insertDuePosts(app, 30, () => app.clock.now());
    await publishDue(app, 'command');
    let batches = 0;
    const onProgress = () => {
      if (++batches !== 2) return;
      Object.assign(app.test.standIn!.faults, faults);
      setTimeout(() => Object.assign(app.test.standIn!.faults, noFaults()), 400);
    };
    expect(await reindexPosts(app, { batchSize: 10, onProgress })).toMatchObject({ indexedCount: 31 });
    await expectIndexMatches(app, { posts: 31 });
  });
});

describe('readiness says', () => {
  const search = async () => (await readReadiness(app)).checks.search;

  it('what Typesense is short of, though it answers searches', async () => {
    expect(await search()).toBe('ok');
    app.test.standIn!.faults.outOf = 'OUT_OF_DISK';
    expect(await readReadiness(app)).toMatchObject({ checks: { search: 'out_of_disk' } });
    app.test.standIn!.faults.outOf = 'OUT_OF_MEMORY';
    expect(await search()).toBe('out_of_memory');
  });

  it('`unauthorized` for a key that may only search, which finds posts all the same', async () => {
    const { url, searchOnlyKey } = app.test.standIn!;
    const engine = await createSearchEngine({ kind: 'typesense', nodes: [url] }, { apiKey: searchOnlyKey });
    app.search = engine;
    const query = { text: 'first', categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10 };
    expect((await engine.search(query)).total).toBe(1);
    expect(await search()).toBe('unauthorized');
    await engine.close();
  });
});
