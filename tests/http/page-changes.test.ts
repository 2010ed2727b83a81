import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

describeOnBothDatabases('what readers get when something changes', (dialect) => {
  let app: TestApp;
  let server: TestServer;
  let editor: Client;
  let reader: Client;
  beforeAll(async () => {
    app = await createTestApp({ dialect, now: new Date() });
    server = await startServer({ env: app.variables });
    [editor, reader] = [server.client(), server.client()];
    await logInAsAdministrator(app, editor);
    await createPostByForm(editor, { title: 'Harbour', body: 'Boats.', tags: 'Sea', intent: 'publish' });
  });
  afterAll(async () => {
    await server?.stop();
    await app?.close();
  });

  const places = [
    '/',
    '/posts/harbour',
    '/tags/sea',
    '/rss.xml',
    '/atom.xml',
    '/feed.json',
    '/sitemap.xml',
    '/tags/sea/rss.xml',
  ];
  const validators = async () =>
    Promise.all(places.map(async (place) => (await reader.get(place)).headers.etag));

  it('internal saves change no byte of a page, feed or sitemap', async () => {
    const before = await validators();
    expect(before.every(Boolean)).toBe(true);
    const id = await createPostByForm(editor, { title: 'Hidden', body: 'Draft.', intent: 'draft' });
    const edit = { version: '1', body: 'Another draft.', intent: 'save' };
    expect((await editor.post(`/admin/posts/${id}`, edit)).status).toBe(302);
    const later = { version: '2', publishedAt: '2099-01-01T08:00', intent: 'schedule' };
    expect((await editor.post(`/admin/posts/${id}`, later)).status).toBe(302);
    expect((await editor.post('/admin/settings/publishing', { revision_keep_count: '7' })).status).toBe(302);
    const { code } = await runCommand(['posts:publish-scheduled'], { env: app.variables });
    expect(code).toBe(0);
    expect(await validators()).toEqual(before);
  });

  it.each([
    [
      'a term',
      '/tags/sea',
      () => app.db.tag.findFirstOrThrow({ where: { slug: 'sea' } }).then(({ id }) => `/admin/tags/${id}`),
      { name: 'Salt water', slug: 'sea' },
      'Salt water',
    ],
    ['a setting', '/', async () => '/admin/settings/site', { site_title: 'The Quay' }, 'The Quay'],
    [
      'the author',
      '/posts/harbour',
      async () => '/admin/account',
      { displayName: 'Countess Ada', intent: 'save' },
      'Countess Ada',
    ],
  ])('%s that changes is in the very next answer', async (_name, place, form, fields, shown) => {
    expect((await reader.get(place)).text).not.toContain(shown);
    const { status, text } = await editor.post(await form(), fields);
    expect(status, text.slice(0, 500)).toBe(302);
    expect((await reader.get(place)).text).toContain(shown);
  });

  interface Seen {
    beganAt: number;
    status: number;
    shows: boolean;
  }

  /** Eight visitors who read the first page again and again until `leave`; `answers` grows. */
  function startCrowd(title: string): { answers: Seen[]; leave(): Promise<unknown> } {
    const answers: Seen[] = [];
    let over = false;
    const visitor = async () => {
      while (!over) {
        const beganAt = performance.now();
        const { status, text } = await reader.get('/');
        answers.push({ beganAt, status, shows: text.includes(title) });
      }
    };
    const crowd = Array.from({ length: 8 }, visitor);
    const leave = () => {
      over = true;
      return Promise.all(crowd);
    };
    return { answers, leave };
  }

  it('a command under full load: no error, and no answer that began after it shows the old state', async () => {
    const due = await createPost(app, {
      slug: 'under-load',
      title: 'Published under load',
      status: 'scheduled',
      publishedAt: new Date(Date.now() - 1_000),
    });
    const { answers, leave } = startCrowd(due.title);
    const { json } = await runCommand(['posts:publish-scheduled'], { env: app.variables });
    const endedAt = performance.now();
    expect(json()).toMatchObject({ publishedPostIds: [due.id] });
    // The change of another process: 2 ms later on SQLite, within the contract's second on PostgreSQL.
    const from = endedAt + (dialect === 'sqlite' ? 2 : 1_000);
    await expect
      .poll(() => answers.filter(({ beganAt }) => beganAt >= from).length, { timeout: 30_000 })
      .toBeGreaterThan(20);
    await leave();
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.filter(({ beganAt, shows }) => beganAt >= from && !shows)).toEqual([]);
    expect(answers.some(({ shows }) => !shows)).toBe(true);
  });
});
