import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchDocument } from '#app/search/engine.ts';
import {
  createTestEngine,
  engineKinds,
  searchDocument,
  type TestEngine,
} from '#tests/support/search-engines.ts';

/** A small blog; later ones are newer. The large table is `npm run bench -- relevance`. */
const posts: Partial<SearchDocument>[] = [
  { slug: 'tides', title: 'How to read a tide table', body: 'Springs, neaps and the harbour clock.' },
  {
    slug: 'bread',
    title: 'Bread, salt, and forty years of mornings',
    tags: ['Food'],
    author: 'Ada Lindqvist',
  },
  { slug: 'sourdough', title: 'A sourdough diary', excerpt: 'Bread in eleven attempts.', tags: ['Food'] },
  { slug: 'trains', title: 'Why the night train is full again', body: 'Sleeping cars and bread rolls.' },
  { slug: 'release-2', title: 'Release 2.4', body: 'Faster start, fewer surprises.' },
  { slug: 'release-2-1', title: 'Release 2.4.1', body: 'A correction to the last one.' },
  { slug: 'harbour', title: 'Harbour lights', body: 'They come back on.', category: 'Harbour' },
  { slug: 'ferry', title: 'A winter without the ferry', category: 'Harbour', body: 'Ice, and patience.' },
  { slug: 'radio', title: 'Small radios, large distances', body: 'Valves, antennas and the harbour master.' },
  { slug: 'code', title: 'Reading files', body: 'Use node:fs; std::fs::read does the same in Rust.' },
  { slug: 'tokyo', title: '東京の図書館', body: '全文検索の仕組みを調べた。' },
  { slug: 'type', title: 'The last typesetter on Mill Street', body: 'Letters of lead.' },
];

describe.each(engineKinds)('relevance (%s)', (kind) => {
  let test: TestEngine;
  const slugs = new Map<string, string>();
  beforeAll(async () => {
    test = await createTestEngine(kind);
    await test.engine.createIndex();
    const documents = posts.map((post, index) =>
      searchDocument({ ...post, publishedAt: 1_700_000_000 + index }),
    );
    for (const { id, slug } of documents) slugs.set(id, slug);
    await test.engine.upsert(documents);
  });
  afterAll(() => test?.close());

  it.each([
    ['tide table', 'tides'],
    ['tide', 'tides'],
    ['bread', 'bread'],
    ['sourdough bread', 'sourdough'],
    ['lindqvist', 'bread'],
    ['night train', 'trains'],
    ['nihgt train', 'trains'],
    ['release 2.4.1', 'release-2-1'],
    ['release 2.4', 'release-2'],
    ['harbour', 'harbour'],
    ['harbour ferry', 'ferry'],
    ['harbour master', 'radio'],
    ['antenas', 'radio'],
    ['distnaces', 'radio'],
    ['std::fs::read', 'code'],
    ['検索', 'tokyo'],
    ['図書館', 'tokyo'],
    ['typesett', 'type'],
    ['tyepsetter', 'type'],
    ['mill street', 'type'],
    ['winter fery', 'ferry'],
  ])('%s → %s', async (text, first) => {
    const query = { text, categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 5 };
    const { ids } = await test.engine.search(query);
    expect(slugs.get(ids[0] ?? ''), ids.map((id) => slugs.get(id)).join(', ')).toBe(first);
  });
});
