import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestEngine,
  engineKinds,
  searchDocument,
  type TestEngine,
} from '#tests/support/search-engines.ts';

describe.each(engineKinds)('the beginning of a word finds every post with a longer word (%s)', (kind) => {
  let test: TestEngine;
  beforeEach(async () => {
    test = await createTestEngine(kind);
    await test.engine.createIndex();
  });
  afterEach(() => test.close());

  it.each([
    ['con', ['contract', 'concert', 'condition', 'continent', 'conifer', 'convoy', 'concrete', 'conduit']],
    ['1.3', ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37']],
  ])('%s', async (text, words) => {
    await test.engine.upsert(words.map((word) => searchDocument({ title: `On ${word}` })));
    const query = { text, categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 20 };
    expect((await test.engine.search(query)).total).toBe(words.length);
  });
});
