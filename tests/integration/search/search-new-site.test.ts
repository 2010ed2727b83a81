import { expect, it } from 'vitest';
import { searchPosts } from '#app/search/posts.server.ts';
import { createPost } from '#tests/support/factories.ts';
import { describeOnBothEngines, type SearchTestApp } from '#tests/support/search-app.ts';

const search = (app: Pick<SearchTestApp, 'db' | 'log' | 'search'>) =>
  searchPosts(app, { query: 'tides', category: null, tag: null, page: 1, perPage: 10 });
const down = () => Promise.reject(new Error('down'));

describeOnBothEngines('a search without an index', (getApp) => {
  it('finds nothing before the first publication, and is no outage', async () => {
    const app = getApp();
    await createPost(app, { title: 'Tides' });
    expect(await search(app)).toMatchObject({ total: 0, fallback: false });
    const { id } = await createPost(app, { title: 'More tides', status: 'published' });
    expect(await search(app)).toMatchObject({ hits: [{ post: { id } }], fallback: true });
  });

  it('says so in an outage', async () => {
    const { db, log, search: engine } = getApp();
    const result = await search({ db, log, search: { ...engine, search: down, health: down } });
    expect(result).toMatchObject({ total: 0, fallback: true });
  });
});
