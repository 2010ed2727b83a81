// Contract, section 12: the public site at an instant, byte for byte what readers get once that instant has come.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { toLocalTime } from '#app/platform/time-zone.ts';
import { changeSettings } from '#app/publishing/change-settings.server.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import {
  addPostsToRelease,
  archivePostInRelease,
  keepChangeInRelease,
} from '#app/publishing/release-items.server.ts';
import { createPost, editPost } from '#app/publishing/save-post.server.ts';
import { preparePostChange } from '#app/publishing/schedule-update.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { dialects } from '#tests/support/databases.ts';
import { createPeople, type Person } from '#tests/support/roles.ts';
import type { Role } from '#app/auth/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const RUNS = Number(process.env.RUNS ?? 1);
const MINUTE = 60_000;
/** Minutes between the site's instant and now: a trigger that comes right at its time is played by moving all times. */
const AHEAD = 60;

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;

for (const dialect of dialects) {
  const setUp = async () => {
    app = await createTestApp({ now: new Date(Math.floor(Date.now() / MINUTE) * MINUTE), dialect });
    server = await startServer({ env: app.variables });
    people = await createPeople(app, server);
  };
  const tearDown = async () => {
    await server?.stop();
    await app?.close();
  };

  it(
    `the pages of an instant are those that readers get once it has come (${dialect})`,
    { timeout: 120_000 * RUNS },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 9 })), async (choices) => {
          await setUp();
          try {
            const next = () => choices.next().value as number;
            const instant = await makePlans(next);
            const { location } = (
              await people.editor.client.post(
                '/admin/time',
                { at: toLocalTime(instant, await zone()), intent: 'open' },
                { accept: 'application/json' },
              )
            ).json<{ location: string }>();
            const base = location.replace(/\/$/, '');
            const shown = await crawl(base);
            app.clock.advance(AHEAD * MINUTE);
            await publishDue(app, 'command');
            const real = await crawl('');
            expect(Object.keys(shown).sort()).toEqual(Object.keys(real).sort());
            for (const [path, answer] of Object.entries(real)) expect(shown[path], path).toEqual(answer);
          } finally {
            await tearDown();
          }
        }),
        {
          numRuns: RUNS,
          endOnFailure: true,
          ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
        },
      );
    },
  );
}

const zone = async () =>
  (await app.db.setting.findUnique({ where: { key: 'site_timezone' } }))?.value ?? 'UTC';

/** Posts in all states, with everything that can come to them until the instant. @returns the instant */
async function makePlans(next: () => number): Promise<Date> {
  const editorId = people.editor.id;
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];
  await changeSettings(app, { site_timezone: zones[next() % zones.length]!, site_title: 'Before' });
  const now = app.clock.now().getTime();
  const soon = () => new Date(now + (5 + next() * 5) * MINUTE);
  const never = () => new Date(now + (AHEAD + 5 + next()) * MINUTE);
  const release = (publishAt: Date) =>
    createRelease(app, { name: 'R', publishAt, step: 'schedule', by: byCommand });
  const releases = [await release(soon()), await release(never())];
  for (const [index, { id }] of releases.entries())
    await app.db.releaseItem.create({
      data: {
        id: crypto.randomUUID(),
        releaseId: id,
        kind: 'setting',
        subjectId: next() < 5 ? 'site_title' : 'posts_per_page',
        action: 'update',
        fields: JSON.stringify({ value: String(3 + index) }),
        createdAt: app.clock.now(),
        updatedAt: app.clock.now(),
      },
    });
  for (let index = 0; index < 12; index += 1) {
    const fields = {
      title: `Post ${index} ${next()}`,
      slug: `post-${index}`,
      body: `Words ${'harbour '.repeat(1 + next())}\n\n[link](/posts/post-${next()}) and <https://blog.example.org/posts/post-1>`,
      tags: [`Tag ${next() % 3}`],
    };
    const releaseId = releases[next() % 2]!.id;
    switch (next() % 6) {
      case 0:
        await createPost(app, {
          intent: 'schedule',
          fields: { ...fields, publishedAt: next() < 7 ? soon() : never() },
          editorId,
        });
        break;
      case 1: {
        const { id } = await createPost(app, { intent: 'save', fields, editorId });
        await addPostsToRelease(app, { releaseId, postIds: [id], editorId });
        break;
      }
      case 2: {
        const { id: postId, version } = await createPost(app, { intent: 'publish', fields, editorId });
        const change = {
          title: `Changed ${index}`,
          slug: next() < 5 ? `moved-${index}` : `post-${index}`,
          body: 'New *words*',
        };
        await keepChangeInRelease(app, { postId, releaseId, version, fields: change, editorId });
        break;
      }
      case 3: {
        const { id: postId, version } = await createPost(app, { intent: 'publish', fields, editorId });
        const update = {
          postId,
          version,
          fields: { body: 'Updated' },
          changeAt: next() < 7 ? soon() : never(),
        };
        await preparePostChange(app, { ...update, editorId });
        break;
      }
      case 4: {
        const { id: postId, version } = await createPost(app, { intent: 'publish', fields, editorId });
        if (next() < 5) await archivePostInRelease(app, { postId, releaseId, version, editorId });
        else
          await editPost(app, { postId, version, intent: 'save', fields: { archiveAt: soon() }, editorId });
        break;
      }
      default:
        await createPost(app, { intent: 'publish', fields, editorId });
    }
  }
  return new Date(now + AHEAD * MINUTE);
}

/** Every public address that can be found, as status, redirect and text without the preview's bar and base. */
async function crawl(base: string): Promise<Record<string, unknown>> {
  const visitor = server.client();
  const bare = (text: string) =>
    text.replace(/<aside id="site-preview".*?<\/aside>/s, '').replaceAll(base || '\0', '');
  const found: Record<string, unknown> = {};
  const extra = Array.from({ length: 12 }, (_, index) => [
    `/posts/post-${index}`,
    `/posts/moved-${index}`,
  ]).flat();
  const queue = [
    '/',
    '/archive',
    '/tags',
    '/rss.xml',
    '/atom.xml',
    '/feed.json',
    '/sitemap.xml',
    '/robots.txt',
    '/nothing',
    ...extra,
  ];
  const seen = new Set(queue);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { status, headers, text } = await visitor.get(base + path);
    if (base)
      expect([headers['cache-control'], headers['x-robots-tag']], path).toEqual([
        'no-store',
        'noindex, nofollow',
      ]);
    if (base && status === 200 && text.startsWith('<!'))
      expect(text.match(/<aside id="site-preview"/g), path).toHaveLength(1);
    found[path] = { status, location: headers.location && bare(headers.location), text: bare(text) };
    for (const [, link] of bare(text).matchAll(/<a [^>]*href="(\/[^"#]*)"/g))
      if (!seen.has(link!) && !link!.startsWith('/uploads')) {
        seen.add(link!);
        queue.push(link!.replaceAll('&amp;', '&'));
      }
  }
  const hits = async (query: string) => {
    const { text } = await visitor.get(`${base}/search?q=${query}`);
    return [...bare(text).matchAll(/href="(\/posts\/[^"]+)"/g)].map(([, link]) => link!).sort();
  };
  found['search'] = [await hits('harbour'), await hits('updated'), await hits('words')];
  return found;
}

it('a shared link needs no account, ends when it is revoked, and its links stay inside', async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
  try {
    const { client } = people.editor;
    const publishedAt = new Date(Date.now() + 30 * MINUTE);
    const fields = { title: 'Tomorrow', body: 'Text', publishedAt };
    await createPost(app, { intent: 'schedule', fields, editorId: null });
    const at = toLocalTime(new Date(Date.now() + 60 * MINUTE), 'UTC');
    const page = await client.post('/admin/time', { at, intent: 'share' });
    expect(page.status).toBe(200);
    const [, base] = /https:\/\/blog\.example\.org(\/preview\/site\/[\w-]+)\//.exec(page.text)!;
    const visitor = server.client();
    const home = await visitor.get(`${base}/`);
    expect(home.text).toContain(`href="${base}/posts/tomorrow"`);
    expect(home.text).toContain('<aside id="site-preview"');
    expect((await visitor.get(`${base}/posts/tomorrow`)).status).toBe(200);
    expect((await visitor.get('/posts/tomorrow')).status).toBe(404);
    expect((await visitor.get(`${base}/admin`)).status).toBe(404);
    expect((await client.get(`/admin/time?at=${at}`)).text).toMatch(
      /<code>\/posts\/tomorrow<\/code>.*appears/s,
    );
    const token = base!.split('/').at(-1)!;
    const json = { accept: 'application/json' };
    expect((await client.post('/admin/time', { intent: 'revoke', token }, json)).status).toBe(200);
    expect((await visitor.get(`${base}/`)).status).toBe(404);
    expect((await client.post('/admin/time', { intent: 'open', at: 'soon' }, json)).json()).toMatchObject({
      errors: { at: expect.any(String) },
    });
    expect((await people.contributor.client.post('/admin/time', { at, intent: 'open' }, json)).status).toBe(
      403,
    );
  } finally {
    await server.stop();
    await app.close();
  }
});
