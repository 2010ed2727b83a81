import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, localTime, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const HOUR_MS = 3_600_000;
const trigger = '/api/internal/posts/publish-scheduled';

describeOnBothDatabases('writing, scheduling and publishing a post', (dialect) => {
  let app: TestApp;
  let server: TestServer;
  let editor: Client;
  let reader: Client;

  beforeAll(async () => {
    app = await createTestApp({ dialect, now: new Date() });
    server = await startServer({ env: app.variables });
    [editor, reader] = [server.client(), server.client()];
    await logInAsAdministrator(app, editor);
  });
  afterAll(async () => {
    await server?.stop();
    await app?.close();
  });

  const schedule = (title: string) =>
    createPostByForm(editor, {
      title,
      body: `All about ${title}.`,
      tags: `Tag of ${title}`,
      publishedAt: localTime(new Date(Date.now() + HOUR_MS)),
      intent: 'schedule',
    });
  // An hour later, as far as the post is concerned.
  const comeDue = (id: string) =>
    app.db.post.update({ where: { id }, data: { publishedAt: new Date(Date.now() - 1000) } });
  const placesOf = (slug: string) => [
    '/',
    `/posts/${slug}`,
    '/rss.xml',
    '/atom.xml',
    '/feed.json',
    '/sitemap.xml',
    '/archive',
    '/tags',
    `/tags/tag-of-${slug}`,
    `/search?q=${slug}`,
  ];
  // The search field repeats what was asked, so it is the post's address that counts.
  const standsIn = async (slug: string) => {
    const answers = await Promise.all(placesOf(slug).map((place) => reader.get(place)));
    return placesOf(slug).filter(
      (_, index) => answers[index]!.status === 200 && answers[index]!.text.includes(`/posts/${slug}`),
    );
  };
  const untilStandsIn = (slug: string, places: string[]) =>
    expect.poll(() => standsIn(slug), { interval: 100 }).toEqual(places);

  it('a scheduled post is nowhere, the route publishes it once, and it stands everywhere', async () => {
    const id = await schedule('harbour');
    expect(await standsIn('harbour')).toEqual([]);
    const call = async () =>
      (await reader.post(trigger, {}, { authorization: 'Bearer test-cron-secret' })).json();
    expect(await call()).toMatchObject({ publishedCount: 0 });
    expect(await standsIn('harbour')).toEqual([]);

    await comeDue(id);
    expect(await standsIn('harbour')).toEqual([]);
    expect(await call()).toEqual({
      publishedCount: 1,
      publishedPostIds: [id],
      affectedSlugs: ['harbour'],
      triggeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(await call()).toMatchObject({ publishedCount: 0, publishedPostIds: [], affectedSlugs: [] });
    expect(await standsIn('harbour')).toEqual(placesOf('harbour').filter((place) => place !== '/tags'));
  });

  it('the command publishes too, and a running server shows it within a second', async () => {
    const id = await schedule('lighthouse');
    await comeDue(id);
    expect(await standsIn('lighthouse')).toEqual([]);
    const { code, stderr, json } = await runCommand(['posts:publish-scheduled'], { env: app.variables });
    expect(code, stderr).toBe(0);
    expect(json()).toMatchObject({
      publishedCount: 1,
      publishedPostIds: [id],
      affectedSlugs: ['lighthouse'],
    });
    await untilStandsIn(
      'lighthouse',
      placesOf('lighthouse').filter((place) => place !== '/tags'),
    );
    const post = await app.db.post.findUniqueOrThrow({ where: { id } });
    expect(post).toMatchObject({ status: 'published', version: 2 });
  });

  it('a time that is not in the future is refused beside its field, and nothing typed is lost', async () => {
    const typed = {
      title: 'Too late',
      body: 'Kept text',
      publishedAt: '2020-01-01T08:00',
      intent: 'schedule',
    };
    const created = await editor.post('/admin/posts/new', typed);
    const id = await schedule('edited');
    const edited = await editor.post(`/admin/posts/${id}`, { ...typed, version: '1' });
    for (const { status, text } of [created, edited]) {
      expect(status).toBe(400);
      expect(text).toContain('Publication time must be in the future.');
      expect(text).toMatch(
        /id="field-publishedAt"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="field-publishedAt"/,
      );
      for (const kept of ['Too late', 'Kept text', '2020-01-01T08:00']) expect(text).toContain(kept);
    }
    expect(await app.db.post.count({ where: { title: 'Too late' } })).toBe(0);
  });

  it('the route answers as the specification says to whoever may not call it', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'test-cron-secret' }]) {
      const { status, json } = await reader.post(trigger, {}, headers);
      expect(status).toBe(401);
      expect(json()).toEqual({ data: null, error: { code: 'unauthorized', message: 'Unauthorized.' } });
    }
    expect((await reader.get(trigger)).status).toBe(405);
    const bare = await startServer({
      env: { ...app.variables, INTERNAL_CRON_SECRET: '<INTERNAL_CRON_SECRET>' },
    });
    const { status, text } = await bare
      .client()
      .post(trigger, {}, { authorization: 'Bearer <INTERNAL_CRON_SECRET>' });
    expect(status).toBe(503);
    expect(text).toContain('INTERNAL_CRON_SECRET is not configured.');
    await bare.stop();
  });

  it('a changed admin_path is obeyed by the very next request, GET and POST', async () => {
    const wrong = { email: 'x', password: 'y' };
    const nowhere = [await reader.get('/nowhere'), await reader.post('/nowhere', wrong)];
    const { status } = await editor.post('/admin/settings/security', { admin_path: 'back-room' });
    expect(status).toBe(302);
    for (const path of ['/admin', '/admin/login', '/admin/posts']) {
      const answers = [await editor.get(path), await editor.post(path, wrong)];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect(answers.map(({ text }) => text)).toEqual(nowhere.map(({ text }) => text));
    }
    expect((await editor.get('/back-room/posts')).status).toBe(200);
    expect((await reader.get('/back-room/login')).status).toBe(200);
  });
});
