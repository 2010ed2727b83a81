import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LinkCheck } from '#app/import/checks/links.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith } from '#tests/support/content-folders.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

const run = (...args: string[]) => runCommand(args, { env: app.variables });

it('content:check-links and content:compare print one object and exit with 1 when something leads nowhere', async () => {
  const good = await run('content:check-links');
  expect([good.code, good.json()]).toEqual([0, { checked: 1, dead: [] }]);
  const fields = { title: 'A', slug: 'a', body: '[x](/nowhere)' };
  await createPost(app, { intent: 'publish', fields, editorId: null });
  const bad = await run('content:check-links');
  expect([bad.code, bad.json()]).toEqual([1, { checked: 2, dead: [{ page: '/posts/a', link: '/nowhere' }] }]);

  const folder = await folderWith({ 'a.txt': '/posts/a\n', 'b.txt': 'https://old.example/posts/a\n/b\n' });
  const same = await run('content:compare', '--sitemap', path.join(folder, 'a.txt'));
  expect([same.code, same.json()]).toEqual([0, { addresses: 1, same: 1, redirected: 0, gone: [] }]);
  const gone = await run('content:compare', '--sitemap', path.join(folder, 'b.txt'));
  expect([gone.code, gone.json()]).toEqual([1, { addresses: 2, same: 1, redirected: 0, gone: ['/b'] }]);
  expect((await run('content:compare')).code).toBe(2);
});

it('content:check-links finds no dead link in a menu that names the list of posts below a home page', async () => {
  const fields = { title: 'Home', slug: 'home', type: 'page', body: '[x](/blog?x=1)' } as const;
  const { id } = await createPost(app, { intent: 'publish', fields, editorId: null });
  await changeSettings(app, { home_page: id, navigation: 'Blog | /blog' });
  const { dead } = (await run('content:check-links')).json<LinkCheck>();
  expect(dead).toEqual([{ page: '/posts/a', link: '/nowhere' }]);

  await changeSettings(app, { header_button: 'Join | /join', announcement: 'News | /news' });
  const { dead: withMore } = (await run('content:check-links')).json<LinkCheck>();
  expect(withMore).toEqual([...['/join', '/news'].map((link) => ({ page: '/', link })), ...dead]);
});
