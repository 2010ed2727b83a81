import { expect, it } from 'vitest';
import { COUNTED_MAX, type SearchEngine } from '#app/search/engine.ts';
import { searchPostsOnce } from '#app/search/kept-answers.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createPost } from '#tests/support/factories.ts';
import { createSearchApp } from '#tests/support/search-app.ts';
import { createTestEngine, searchDocument } from '#tests/support/search-engines.ts';

const ask = { categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10 };

it('the embedded engine counts to a thousand, and still finds what is meant among more', async () => {
  const test = await createTestEngine('embedded');
  try {
    await test.engine.createIndex();
    const documents = Array.from({ length: 1_400 }, (_, number) =>
      searchDocument({
        title: number === 3 ? 'Harbour lights' : `Entry ${number}`,
        body: number % 7 === 0 ? 'The harbour at night' : 'The harbour by day',
        categoryId: number % 100 === 0 ? 'rare' : 'usual',
        publishedAt: 1_700_000_000 + number,
      }),
    );
    await test.engine.upsert(documents);
    const search = (text: string, more: Partial<Parameters<SearchEngine['search']>[0]> = {}) =>
      test.engine.search({ ...ask, text, ...more });
    const found = await search('harbour');
    expect(found).toMatchObject({ total: COUNTED_MAX, isCut: true });
    // In the title, and among the oldest.
    expect(found.ids[0]).toBe(documents[3]!.id);
    expect(new Set(found.ids).size).toBe(10);
    // The last page that is counted is full.
    expect((await search('harbour', { offset: COUNTED_MAX - 10 })).ids).toHaveLength(10);
    expect(await search('night')).toMatchObject({ total: 200, isCut: false });
    // A filter that few pass is exact again, wherever they stand.
    expect(await search('harbour', { categoryId: 'rare' })).toMatchObject({ total: 14, isCut: false });
    const excludedIds = documents.slice(0, 1_390).map(({ id }) => id);
    expect(await search('harbour', { excludedIds })).toMatchObject({ total: 10, isCut: false });
  } finally {
    await test.close();
  }
});

it('an answer is kept until the content or the index changes', async () => {
  const app = await createSearchApp('embedded', { dialect: 'sqlite' });
  try {
    await createPost(app, { status: 'published', title: 'Lighthouse' });
    await reindexPosts(app, { batchSize: 200 });
    let asked = 0;
    const search: SearchEngine = {
      ...app.search,
      search: (...call) => {
        asked += 1;
        return app.search.search(...call);
      },
    };
    const totalOf = async (version: number | undefined) =>
      (
        await searchPostsOnce(
          { ...app, search },
          { query: 'lighthouse', category: null, tag: null, page: 1, perPage: 10 },
          version,
        )
      ).total;
    expect([await totalOf(1), await totalOf(1), asked]).toEqual([1, 1, 1]);
    // Of another version of the content, and without one.
    expect([await totalOf(2), await totalOf(undefined), asked]).toEqual([1, 1, 3]);
    await createPost(app, { status: 'published', title: 'Another lighthouse' });
    await reindexPosts(app, { batchSize: 200 });
    expect([await totalOf(2), await totalOf(2), asked]).toEqual([2, 2, 4]);
  } finally {
    await app.close();
  }
});
