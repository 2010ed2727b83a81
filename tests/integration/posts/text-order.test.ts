// The order of names in lists of the public site, which each database would sort by the rules of its own locale.
import { afterEach, describe, expect, it } from 'vitest';
import { listPagesAround } from '#app/posts/lists/pages.server.ts';
import { listTerms } from '#app/posts/terms/queries.server.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '#tests/support/app.ts';
import { dialects } from '#tests/support/databases.ts';
import { createCategory, createPost, createTag } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const names = ['Zebra', 'apple', 'Äpfel', 'banana', 'Öl', 'zoo', 'Apple 2', '中文'];
const inOrder = ['Äpfel', 'apple', 'Apple 2', 'banana', 'Öl', 'Zebra', 'zoo', '中文'];

const databases: TestAppOptions[] = [{ dialect: 'sqlite' }];
if (dialects.includes('postgresql'))
  databases.push({ dialect: 'postgresql' }, { dialect: 'postgresql', locale: 'sv-SE' });

describe.each(databases)('lists by name ($dialect, locale $locale)', (options) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  it('have the same order in every database and at another instant', async () => {
    app = await createTestApp(options);
    const parent = await createPost(app, { type: 'page', slug: '/about', status: 'published' });
    for (const [index, name] of names.entries()) {
      const category = await createCategory(app, { name, slug: `c-${index}` });
      const tag = await createTag(app, { name, slug: `t-${index}` });
      await createPost(app, { categoryId: category.id, tagIds: [tag.id], status: 'published' });
      const slug = `/about/${index}`;
      await createPost(app, { type: 'page', title: name, slug, parentId: parent.id, status: 'published' });
    }
    const site = await openScratchSite(app, new Date(app.clock.now().getTime() + 3_600_000));
    for (const reader of [app, site.app]) {
      expect((await listTerms(reader, 'category')).map(({ name }) => name)).toEqual(inOrder);
      expect((await listTerms(reader, 'tag')).map(({ name }) => name)).toEqual(inOrder);
      const { below } = await listPagesAround(reader, { id: parent.id, slug: '/about', language: '' });
      expect(below.map(({ title }) => title)).toEqual(inOrder);
    }
    await site.close();
  });
});
