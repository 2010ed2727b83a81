import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineQuery, IndexEntry, SearchDocument } from '#app/search/engine.ts';
import {
  createTestEngine,
  engineKinds,
  searchDocument,
  type TestEngine,
} from '#tests/support/search-engines.ts';

describe.each(engineKinds)('search engine: %s', (kind) => {
  let test: TestEngine;
  beforeEach(async () => {
    test = await createTestEngine(kind);
  });
  afterEach(() => test.close());

  async function indexed(...documents: Partial<SearchDocument>[]): Promise<SearchDocument[]> {
    const whole = documents.map(searchDocument);
    await test.engine.createIndex();
    expect(await test.engine.upsert(whole)).toEqual([]);
    return whole;
  }

  function ask(text: string, more: Partial<EngineQuery> = {}) {
    const query = { text, categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10, ...more };
    return test.engine.search(query);
  }

  async function titles(text: string, more: Partial<EngineQuery> = {}): Promise<string[]> {
    const documents = new Map(all.map((document) => [document.id, document.title]));
    return (await ask(text, more)).ids.map((id) => documents.get(id) ?? id);
  }

  let all: SearchDocument[] = [];

  describe('the index', () => {
    it('is not there at first, is made once and keeps what it has', async () => {
      expect(await test.engine.describe()).toBeNull();
      await expect(test.engine.upsert([searchDocument()])).rejects.toMatchObject({ code: 'unavailable' });
      await expect(test.engine.remove(['x'])).rejects.toMatchObject({ code: 'unavailable' });
      await expect(ask('anything')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await entries()).toEqual([]);
      const [document] = await indexed({ title: 'Kept' });
      expect(await test.engine.describe()).not.toBeNull();
      await test.engine.createIndex();
      expect((await ask('kept')).ids).toEqual([document!.id]);
    });

    it('is the same for another process at once', async () => {
      const other = await test.another();
      const [first] = await indexed({ title: 'Shared words' });
      const query = { text: 'shared', categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10 };
      expect((await other.search(query)).ids).toEqual([first!.id]);
      await other.remove([first!.id]);
      expect((await ask('shared')).total).toBe(0);
    });

    it('replaces and removes documents, as often as it is told', async () => {
      const [a, b] = await indexed({ title: 'First thing' }, { title: 'Second thing' });
      const changed = { ...a!, title: 'Changed matter', hash: 'new' };
      for (let times = 0; times < 2; times += 1) {
        await test.engine.upsert([changed]);
        await test.engine.remove([b!.id, 'unknown']);
      }
      expect((await ask('thing')).total).toBe(0);
      expect((await ask('matter')).ids).toEqual([a!.id]);
      expect(await entries()).toEqual([{ id: a!.id, slug: a!.slug, hash: 'new' }]);
    });

    async function entries(): Promise<IndexEntry[]> {
      const found: IndexEntry[] = [];
      for await (const { id, slug, hash } of test.engine.entries()) found.push({ id, slug, hash });
      return found;
    }
  });

  describe('a rebuild', () => {
    it('fills beside the old index, which answers and takes writes until the swap', async () => {
      const [old] = await indexed({ title: 'Old words' });
      const build = await test.engine.beginBuild();
      const fresh = [searchDocument({ title: 'New words' }), searchDocument({ title: 'More words' })];
      await build.add(fresh.slice(0, 1));
      await build.add(fresh.slice(1));
      const late = searchDocument({ title: 'Late words' });
      await test.engine.upsert([late]);
      expect(await build.finish()).toBe(2);
      expect(new Set((await ask('words')).ids)).toEqual(new Set([old!.id, late.id]));
      await build.swap();
      expect(new Set((await ask('words')).ids)).toEqual(new Set(fresh.map(({ id }) => id)));
      await test.engine.remove([fresh[0]!.id]);
      expect((await ask('words')).total).toBe(1);
      expectOneIndex();
    });

    it('makes the first index too', async () => {
      const build = await test.engine.beginBuild();
      const document = searchDocument({ title: 'Very first' });
      await build.add([document]);
      expect(await build.finish()).toBe(1);
      await build.swap();
      expect((await ask('first')).ids).toEqual([document.id]);
    });

    it('leaves nothing when it is abandoned, or killed and begun again', async () => {
      const [old] = await indexed({ title: 'Old words' });
      await (await test.engine.beginBuild()).abandon();
      const killed = await test.engine.beginBuild();
      await killed.add([searchDocument({ title: 'Half words' })]);
      const next = await test.engine.beginBuild();
      await expect(killed.finish()).rejects.toThrow();
      expect((await ask('words')).ids).toEqual([old!.id]);
      expect(await next.finish()).toBe(0);
      await next.swap();
      expect((await ask('words')).total).toBe(0);
      expectOneIndex();
    });

    function expectOneIndex() {
      if (test.standIn) expect(test.standIn.collections.size).toBe(1);
    }
  });

  describe('what is found', () => {
    beforeEach(async () => {
      all = await indexed(
        {
          title: 'Nothing in the heading',
          excerpt: 'Nothing here',
          body: 'A word about concurrency.',
          publishedAt: 30,
        },
        { title: 'Nothing again', excerpt: 'All about concurrency', body: 'Text.', publishedAt: 20 },
        { title: 'Fearless Concurrency', excerpt: 'Threads', body: 'Threads are hard.', publishedAt: 10 },
        { title: 'Café culture', body: 'Über die naïve Fräulein, straße and ÅNGSTRÖM', publishedAt: 1 },
        {
          title: 'Containers',
          body: 'Call Vec::push often. C++ and C# differ; import node:fs from "node:fs".',
          publishedAt: 2,
        },
        { title: 'Releases', body: 'Rust 1.31.0 came after 1.30', publishedAt: 3 },
        { title: '全文検索エンジンの作り方', body: '東京都で開かれた会議', publishedAt: 4 },
        { title: '中文', body: '中华人民共和国的全文搜索引擎和数据库', publishedAt: 5 },
        { title: '한국어', body: '한국어 검색엔진을 만들다', publishedAt: 6 },
        { title: 'Ёлка', body: 'ПОИСК по тексту', publishedAt: 7 },
      );
    });

    it.each([
      ['concurrency', ['Fearless Concurrency', 'Nothing again', 'Nothing in the heading']],
      ['FEARLESS', ['Fearless Concurrency']],
      ['fearl', ['Fearless Concurrency']],
      ['concurrency fear', ['Fearless Concurrency']],
      ['cafe', ['Café culture']],
      ['CAFÉ', ['Café culture']],
      ['uber', ['Café culture']],
      ['strasse', ['Café culture']],
      ['angstrom', ['Café culture']],
      ['vec::push', ['Containers']],
      ['push', ['Containers']],
      ['C++', ['Containers']],
      ['c#', ['Containers']],
      ['node:fs', ['Containers']],
      ['1.31.0', ['Releases']],
      ['rust 1.31', ['Releases']],
      ['検索', ['全文検索エンジンの作り方']],
      ['全文検索', ['全文検索エンジンの作り方']],
      ['会議', ['全文検索エンジンの作り方']],
      ['议', []],
      ['搜索', ['中文']],
      ['数据', ['中文']],
      ['엔진', ['한국어']],
      ['검색', ['한국어']],
      ['елка', ['Ёлка']],
      ['поиск', ['Ёлка']],
    ])('%s', async (text, expected) => {
      expect(await titles(text)).toEqual(expected);
    });

    it.each([
      ['conkurrency', 'concurrency'],
      ['concurrecny', 'concurrency'],
      ['cocurency', 'concurrency'],
      ['fearles', null],
      ['feerless threads', 'fearless threads'],
      ['thraeds', 'threads'],
    ])('%s is understood as %s', async (typed, corrected) => {
      const result = await ask(typed);
      expect(result.ids.length).toBeGreaterThan(0);
      expect(result.correctedText).toBe(corrected);
    });

    it('takes no liberties with short words', async () => {
      expect((await ask('cal')).total).toBe(1);
      expect((await ask('cxl')).total).toBe(0);
    });

    it('orders equals newest first', async () => {
      const words = { title: 'Same title', body: 'Same body' };
      const same = [5, 9, 7].map((publishedAt) => searchDocument({ ...words, publishedAt }));
      await test.engine.upsert(same);
      expect((await ask('same title')).ids).toEqual([same[1]!.id, same[2]!.id, same[0]!.id]);
    });

    it.each(['', ' ', '!!!', '"', '* * *', '。、', '👍', '-', '\0'])('nothing for %j', async (text) => {
      expect(await ask(text)).toMatchObject({ total: 0, ids: [], categories: [], tags: [] });
    });
  });

  describe('filters, facets and pages', () => {
    const [rust, ops, beta] = ['cat-rust', 'cat-ops', 'tag-beta'];
    beforeEach(async () => {
      all = await indexed(
        { title: 'Release one', categoryId: rust, category: 'C', tagIds: [beta, 'tag-x'], publishedAt: 5 },
        { title: 'Release two', categoryId: rust, category: 'C', tagIds: [beta], publishedAt: 4 },
        { title: 'Release three', categoryId: ops, category: 'C++', tagIds: ['tag-x'], publishedAt: 3 },
        { title: 'Release four', publishedAt: 2 },
        { title: 'Other', categoryId: rust, tagIds: [beta], publishedAt: 1 },
      );
    });

    it('counts categories and tags of what matches', async () => {
      const result = await ask('release');
      expect(result.total).toBe(4);
      expect(result.categories).toEqual([
        { id: rust, count: 2 },
        { id: ops, count: 1 },
      ]);
      expect(result.tags).toEqual([
        { id: beta, count: 2 },
        { id: 'tag-x', count: 2 },
      ]);
    });

    it('narrows, and goes on counting what else could be chosen', async () => {
      const result = await ask('release', { categoryId: rust });
      expect(result.total).toBe(2);
      expect(result.categories).toEqual([
        { id: rust, count: 2 },
        { id: ops, count: 1 },
      ]);
      expect(result.tags).toEqual([
        { id: beta, count: 2 },
        { id: 'tag-x', count: 1 },
      ]);
      expect((await titles('release', { tagId: 'tag-x' })).sort()).toEqual(['Release one', 'Release three']);
      expect(await titles('release', { tagId: 'tag-x', categoryId: ops })).toEqual(['Release three']);
      expect((await ask('release', { categoryId: 'unknown' })).total).toBe(0);
    });

    it('counts the terms that documents have now, after changes by any process', async () => {
      const other = await test.another();
      const [document] = await indexed({ title: 'Moving', categoryId: 'first', tagIds: ['one', 'two'] });
      expect((await ask('moving')).categories).toEqual([{ id: 'first', count: 1 }]);
      await other.upsert([{ ...document!, categoryId: 'second', tagIds: ['two'], hash: 'new' }]);
      const [categories, tags] = [[{ id: 'second', count: 1 }], [{ id: 'two', count: 1 }]];
      expect(await ask('moving')).toMatchObject({ total: 1, categories, tags });
    });

    it('leaves excluded posts out of hits, counts and facets', async () => {
      const result = await ask('release', { excludedIds: [all[0]!.id, 'unknown'] });
      expect(result.total).toBe(3);
      expect(result.ids).not.toContain(all[0]!.id);
      expect(result.categories).toEqual([
        { id: ops, count: 1 },
        { id: rust, count: 1 },
      ]);
      expect(result.tags).toEqual([
        { id: beta, count: 1 },
        { id: 'tag-x', count: 1 },
      ]);
    });

    it('gives pages without gaps or repeats', async () => {
      const pages = await Promise.all([0, 2, 4].map((offset) => ask('release', { offset, limit: 2 })));
      expect(pages.map(({ ids }) => ids.length)).toEqual([2, 2, 0]);
      expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(4);
      expect(pages.map(({ total }) => total)).toEqual([4, 4, 4]);
    });

    it('a filter that is an injection finds nothing and breaks nothing', async () => {
      for (const evil of ['` || categoryId:!=`', "' OR 1=1 --", '"', '[a,b]', 'a && b', '*'])
        expect((await ask('release', { categoryId: evil, tagId: evil })).total).toBe(0);
    });
  });

  it('survives whatever is typed', async () => {
    await indexed({ title: 'Plain words' });
    const odd = ['`', '"', "'", 'AND', 'OR NOT', 'NEAR(', 'title:x', '^x', 'x*', '(', '{}', '\\', '%', 'a"b'];
    for (const text of [
      ...odd,
      '-plain',
      'x'.repeat(10_000),
      '"('.repeat(5_000),
      'ab '.repeat(3_000),
      '漢'.repeat(9_000),
    ])
      expect((await ask(text)).total).toBeLessThanOrEqual(1);
    expect((await ask('"plain" AND (words)')).total).toBe(1);
  });
});
