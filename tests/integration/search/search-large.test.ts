import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COUNTED_MAX, type SearchEngine } from '#app/search/engine.ts';
import { createTestEngine, searchDocument } from '#tests/support/search-engines.ts';

const ask = { categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10 };

describe('the embedded engine with more hits than it counts', () => {
  let test: Awaited<ReturnType<typeof createTestEngine>>;
  const documents = Array.from({ length: 1_400 }, (_, number) =>
    searchDocument({
      title: number === 3 ? 'Harbour lights' : `Entry ${number}`,
      body: number % 7 === 0 ? 'The harbour at night' : 'The harbour by day',
      categoryId: number % 100 === 0 ? 'rare' : 'usual',
      publishedAt: 1_700_000_000 + number,
    }),
  );
  const search = (text: string, more: Partial<Parameters<SearchEngine['search']>[0]> = {}) =>
    test.engine.search({ ...ask, text, ...more });
  beforeAll(async () => {
    test = await createTestEngine('embedded');
    await test.engine.createIndex();
    await test.engine.upsert(documents);
  });
  afterAll(() => test?.close());

  it('counts to a thousand, and still finds what is meant', async () => {
    const found = await search('harbour');
    expect(found).toMatchObject({ total: COUNTED_MAX, isCut: true });
    // In the title, and among the oldest.
    expect(found.ids[0]).toBe(documents[3]!.id);
    expect(new Set(found.ids).size).toBe(10);
  });

  it('fills the last page that is counted', async () => {
    expect((await search('harbour', { offset: COUNTED_MAX - 10 })).ids).toHaveLength(10);
  });

  it('counts exactly what few documents have, or what passes a filter, wherever they stand', async () => {
    expect(await search('night')).toMatchObject({ total: 200, isCut: false });
    expect(await search('harbour', { categoryId: 'rare' })).toMatchObject({ total: 14, isCut: false });
    const excludedIds = documents.slice(0, 1_390).map(({ id }) => id);
    expect(await search('harbour', { excludedIds })).toMatchObject({ total: 10, isCut: false });
  });
});

describe('the cost of a search in the embedded engine', () => {
  const tests: Awaited<ReturnType<typeof createTestEngine>>[] = [];
  /** Half of the documents have each common word, and every fiftieth has the tag. */
  const indexOf = async (size: number) => {
    const test = await createTestEngine('embedded');
    tests.push(test);
    await test.engine.createIndex();
    const build = await test.engine.beginBuild();
    const filler = Array.from({ length: 40 }, (_, index) => `filler${index}`).join(' ');
    for (let number = 0; number < size; number += 1)
      await build.add([
        searchDocument({
          title: `Entry ${number}`,
          body: `${number % 2 ? 'harbour' : 'haven'} ${number % 3 ? 'night' : 'day'} light ${filler} word${number}`,
          tagIds: [`tag-${number % 50}`],
          publishedAt: 1_700_000_000 + number,
        }),
      ]);
    await build.finish();
    await build.swap();
    return test.engine;
  };
  afterAll(async () => {
    for (const test of tests) await test.close();
  });

  it('hardly grows with the number of documents', async () => {
    const [small, large] = [await indexOf(1_000), await indexOf(15_000)];
    const costOf = async (engine: SearchEngine, query: Partial<Parameters<SearchEngine['search']>[0]>) => {
      const run = async (times: number) => {
        for (let count = 0; count < times; count += 1) await engine.search({ ...ask, text: '', ...query });
      };
      await run(5);
      const before = process.cpuUsage();
      await run(20);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    for (const query of [{ text: 'light', tagId: 'tag-7' }, { text: 'harbour light' }]) {
      const ratios: number[] = [];
      // In turns, and the least of all: beside other work the larger index costs more, as it shares the processor's cache.
      for (let turn = 0; turn < 7; turn += 1) {
        const cost = [await costOf(small, query), await costOf(large, query)] as const;
        ratios.push(cost[1] / cost[0]);
      }
      // It was four to eight times as much.
      expect(
        Math.min(...ratios),
        `${JSON.stringify(query)} ${ratios.map((one) => one.toFixed(1)).join(' ')}`,
      ).toBeLessThan(3);
    }
  });
});
