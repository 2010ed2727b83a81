import { expect, it } from 'vitest';
import { COUNTED_MAX, type SearchEngine } from '#app/search/engine.ts';
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
