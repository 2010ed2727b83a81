// What readers are told of a post's age, and posts that another clock has dated.
import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPostByForm, localTime } from '#tests/support/backend.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

const DAY_MS = 86_400_000;
const OLD = '2020-05-05T10:00';

let app: TestApp;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  const site = await openSite();
  ({ app, editor } = site);
  reader = site.server.client();
});

const save = async (id: string, fields: Fields) => {
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  return editor.post(`/admin/posts/${id}`, { version: String(version), ...fields });
};

/** When the post was last changed: by its page, its data for machines, the Atom feed and the sitemap. */
async function updatesOf(slug: string): Promise<{ isUpdated: boolean; days: (string | undefined)[] }> {
  const page = (await reader.get(`/posts/${slug}`)).text;
  const atom = (await reader.get('/atom.xml')).text.split('<entry>').find((entry) => entry.includes(slug));
  const feed = (await reader.get('/feed.json')).json<{ items: { url: string; date_modified: string }[] }>();
  const sitemap = (await reader.get('/sitemap.xml')).text.split('<url>').find((url) => url.includes(slug));
  const days = [
    /"dateModified":"([^"]+)"/.exec(page)?.[1],
    /<updated>([^<]+)/.exec(atom ?? '')?.[1],
    feed.items.find(({ url }) => url.endsWith(slug))?.date_modified,
    /<lastmod>([^<]+)/.exec(sitemap ?? '')?.[1],
  ];
  return {
    isUpdated: />Updated |Updated <|· Updated/.test(page.replaceAll('<!-- -->', '')),
    days: days.map((day) => day?.slice(0, 10)),
  };
}

const sameDay = (day: string) => Array.from({ length: 4 }, () => day);
const today = () => new Date().toISOString().slice(0, 10);

it.each<[string, (title: string) => Promise<string>]>([
  [
    'published at once',
    (title) => createPostByForm(editor, { title, body: 'x', publishedAt: OLD, intent: 'publish' }),
  ],
  [
    'written as a draft first',
    async (title) => {
      const id = await createPostByForm(editor, { title, body: 'x' });
      await save(id, { body: 'y', intent: 'save' });
      await save(id, { publishedAt: OLD, intent: 'publish' });
      return id;
    },
  ],
  [
    'dated back afterwards',
    async (title) => {
      const id = await createPostByForm(editor, { title, body: 'x', intent: 'publish' });
      await save(id, { publishedAt: OLD, intent: 'save' });
      return id;
    },
  ],
])('an old post that is entered now is not “Updated”: %s', async (name, enter) => {
  const id = await enter(name);
  const { slug } = await app.db.post.findUniqueOrThrow({ where: { id } });
  expect(await updatesOf(slug)).toEqual({ isUpdated: false, days: sameDay('2020-05-05') });
  expect((await save(id, { body: 'Changed', intent: 'save' })).status).toBe(302);
  expect(await updatesOf(slug)).toEqual({ isUpdated: true, days: sameDay(today()) });
});

it('a post that a server with a fast clock has published can be edited; none can be moved into the future', async () => {
  const id = await createPostByForm(editor, { title: 'Tomorrow', body: 'x', intent: 'publish' });
  const publishedAt = new Date(Date.now() + 3 * DAY_MS);
  await app.db.post.update({ where: { id }, data: { publishedAt } });
  expect((await save(id, { body: 'Fixed', intent: 'save' })).status).toBe(302);
  const shown = localTime(publishedAt);
  expect((await save(id, { body: 'Fixed again', publishedAt: shown, intent: 'save' })).status).toBe(302);
  expect(await app.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({
    body: 'Fixed again',
    publishedAt,
  });
  const later = localTime(new Date(Date.now() + 4 * DAY_MS));
  expect((await save(id, { publishedAt: later, intent: 'save' })).status).toBe(400);
  expect((await save(id, { publishedAt: OLD, intent: 'save' })).status).toBe(302);
});
