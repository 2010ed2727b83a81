import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, it, vi } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { dialects } from '#tests/support/databases.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: SearchTestApp;
let server: TestServer;
afterEach(async () => {
  await server?.stop();
  await app?.close();
});

// The server caches that nothing waits. The posts that end are on the second page of hits: it corrects those of the first.
it.each(dialects)('counts no post that has ended and is still in the index (%s)', async (dialect) => {
  app = await createSearchApp('embedded', { dialect, now: new Date() });
  const posts: string[] = [];
  for (let number = 1; number <= 14; number += 1) {
    const publishedAt = new Date(Date.UTC(2026, 0, number));
    const fields = { title: 'Boats', body: 'A harbour at night.', tags: ['Coast'], publishedAt };
    posts.push((await createPost(app, { intent: 'publish', fields, editorId: null })).id);
  }
  await expectIndexMatches(app, { posts: 14 });
  server = await startServer({ env: app.variables });
  const editor = server.client();
  await logInAsAdministrator(app, editor);
  const ask = async (query: string) => {
    const text = (await server.client().get(`/search?q=${query}`)).text.replaceAll('<!-- -->', '');
    const [, coast] = /Coast <span class="count">(\d+)</.exec(text) ?? [];
    return { total: /(\d+) results for/.exec(text)?.[1], coast };
  };
  expect(await ask('boats')).toEqual({ total: '14', coast: '14' });

  const other = new BetterSqlite3(app.test.file!);
  other.prepare('BEGIN IMMEDIATE').run();
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id: posts[0] } });
  const form = { version: String(version), intent: 'archive' };
  expect((await editor.post(`/admin/posts/${posts[0]}`, form)).status).toBe(302);
  expect(await ask('harbour')).toEqual({ total: '13', coast: '13' });
  await editPost(app, { postId: posts[1]!, intent: 'draft', fields: {}, editorId: null });
  await vi.waitFor(async () => expect(await ask('night')).toEqual({ total: '12', coast: '12' }), 5_000);
  expect(await app.db.searchOutbox.count()).toBe(2);
  other.prepare('ROLLBACK').run();
  other.close();

  await editPost(app, { postId: posts[1]!, intent: 'publish', fields: {}, editorId: null });
  await vi.waitFor(async () => expect(await ask('boats')).toEqual({ total: '13', coast: '13' }), 5_000);
  await vi.waitFor(() => expectIndexMatches(app, { posts: 13 }), 10_000);
  expect(await ask('boats+harbour')).toEqual({ total: '13', coast: '13' });
});
