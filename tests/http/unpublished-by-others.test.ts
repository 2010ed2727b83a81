// What somebody learns of the unpublished posts and pages of others, from every screen of a writer: nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '#app/admin/screens.server.ts';
import type { Role } from '#app/people/roles.ts';
import { createPost as savePost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createMedia } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPeople, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const HOUR = 60 * 60 * 1000;
const json = { accept: 'application/json' };

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;
/** The editor's unpublished things. */
let hiddenPage: string;
let hiddenDraft: string;
let scheduledPage: string;
let mediaId: string;
let ownPost: string;
let tagIds: Record<string, string>;

const save = (who: Role, fields: Record<string, unknown>, intent: 'save' | 'publish' | 'schedule' = 'save') =>
  savePost(app, { intent, editorId: people[who].id, fields: { body: 'Text', ...fields } }).then(
    ({ id }) => id,
  );

/** No page may contain one of these words, which stand in what the contributor and the author may not know. */
const SECRET = /Zeppelin/i;
/** The name of a release, of which only those may know who publish. */
const RELEASE = /Week of secrets/;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
  hiddenPage = await save('editor', { type: 'page', title: 'Zeppelin plans', tags: ['Zeppelin one'] });
  scheduledPage = await save(
    'editor',
    { type: 'page', title: 'Zeppelin hall', publishedAt: new Date(Date.now() + HOUR) },
    'schedule',
  );
  hiddenDraft = await save('editor', { title: 'Zeppelin draft', tags: ['Zeppelin two'] });
  await save(
    'editor',
    {
      title: 'Zeppelin flight',
      slug: 'tomorrow',
      tags: ['Zeppelin three', 'Public words'],
      publishedAt: new Date(Date.now() + HOUR),
    },
    'schedule',
  );
  const trashedId = await save('editor', { title: 'Zeppelin wreck', tags: ['Zeppelin four'] });
  await people.editor.client.post(`/admin/posts/${trashedId}`, { intent: 'delete', version: '1' });
  await save('editor', { type: 'page', title: 'Open house', tags: ['Public words'] }, 'publish');
  for (const who of ['contributor', 'author'] as const)
    await save(who, { title: `Own of ${who}`, tags: [`Words of ${who}`] });
  await app.db.tag.create({
    data: {
      id: crypto.randomUUID(),
      name: 'Unused words',
      slug: 'unused',
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  });
  mediaId = (await createMedia(app, { uploadedById: people.contributor.id })).id;
  const by = { userId: people.editor.id, actor: 'Editor', address: '' };
  const release = await createRelease(app, { name: 'Week of secrets', step: 'save', by });
  await addPostsToRelease(app, { releaseId: release.id, postIds: [hiddenDraft], editorId: people.editor.id });
  ownPost = (await app.db.post.findFirstOrThrow({ where: { authorId: people.contributor.id } })).id;
  const tags = await app.db.tag.findMany();
  tagIds = Object.fromEntries(tags.map(({ name, id }) => [name, id]));
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const textOf = async (client: Client, path: string, headers = {}) => {
  return (await client.get(path, headers)).text;
};

describe.each(['contributor', 'author'] as const)('to somebody with the role %s', (role) => {
  const paths = screens
    .filter(({ access }) => access !== 'everybody' && access.includes(role))
    .map(({ pattern }) => pattern)
    .filter((pattern) => !/^(logout|site|releases|time$)/.test(pattern));

  it.each(paths)('the screen /%s says nothing', async (pattern) => {
    const { client } = people[role];
    const own = await app.db.post.findFirstOrThrow({ where: { authorId: people[role].id } });
    const path = `/admin/${pattern.replace(':id', pattern.startsWith('media') ? mediaId : own.id)}`;
    for (const headers of [{}, json]) {
      const text = await textOf(client, path, headers);
      expect(SECRET.exec(text)).toBeNull();
      if (role === 'contributor') expect(RELEASE.exec(text)).toBeNull();
    }
  });

  it('the choices hold what is public, what is their own and what nobody uses', async () => {
    const { client } = people[role];
    for (const path of ['/admin/posts/new', '/admin/posts']) {
      const text = await textOf(client, path);
      for (const name of ['Public words', `Words of ${role}`, 'Unused words']) expect(text).toContain(name);
    }
    expect(await textOf(client, '/admin/posts/new')).toContain('Open house');
    const editors = await textOf(people.editor.client, '/admin/posts/new');
    for (const name of ['Zeppelin plans', 'Zeppelin hall', 'Zeppelin one', 'Zeppelin four'])
      expect(editors).toContain(name);
  });

  it.each(['jump', 'link', 'at', 'picture'])('the suggestions of kind %s say nothing', async (kind) => {
    const { client } = people[role];
    for (const q of [
      'zeppelin',
      '/tags/zeppelin-one',
      '/zeppelin-plans',
      '/posts/tomorrow',
      '/posts/zeppelin-draft',
    ])
      expect(await textOf(client, `/admin/find?kind=${kind}&q=${encodeURIComponent(q)}`)).not.toMatch(
        /Zeppelin /,
      );
  });

  it('the bar over the site and the way to an editor say nothing', async () => {
    const { client } = people[role];
    for (const path of [
      '/tags/zeppelin-one',
      '/zeppelin-plans',
      '/posts/tomorrow',
      '/posts/zeppelin-draft',
    ]) {
      expect(await textOf(client, `/admin/site${path}`)).not.toMatch(/Zeppelin /);
      expect((await client.get(`/admin/edit?path=${path}`)).status).toBe(404);
    }
  });

  it('a slug that is taken is told without the title', async () => {
    const { client } = people[role];
    const taken: Fields[] = [
      { type: 'post', slug: 'tomorrow' },
      { type: 'post', slug: 'zeppelin-wreck' },
      { type: 'page', slug: 'zeppelin-plans' },
    ];
    for (const fields of taken) {
      const form = { title: 'Mine', intent: 'save', ...fields };
      const answer = await client.post('/admin/posts/new', form, json);
      expect(answer.status).toBe(400);
      expect(answer.json<{ errors: { slug: string } }>().errors.slug).toMatch(/slug/);
      expect(answer.text).not.toMatch(/Zeppelin /);
    }
    const answer = await people.editor.client.post(
      '/admin/posts/new',
      { title: 'X', slug: 'tomorrow', intent: 'save' },
      json,
    );
    expect(answer.text).toContain('Zeppelin flight');
  });

  it('a page cannot be put below one of which they may not know', async () => {
    const { client } = people[role];
    for (const parentId of [hiddenPage, scheduledPage]) {
      const form = { title: 'Below', type: 'page', parentId };
      const answer = await client.post('/admin/posts/new', { ...form, intent: 'save' }, json);
      expect(answer.json()).toEqual({
        errors: { parentId: 'This page no longer exists. Choose another parent.' },
      });
      const check = await client.post('/admin/publish-check', form, json);
      expect([check.status, SECRET.test(check.text)]).toEqual([200, false]);
    }
    const shown = await client.post(
      '/admin/publish-check',
      { title: 'Below', type: 'page', parentId: await pageId('open-house') },
      json,
    );
    expect(shown.text).toContain('/open-house/below');
  });

  it('a conflict does not name such a page', async () => {
    const { client, id: authorId } = people[role];
    const { id, version } = await app.db.post.findFirstOrThrow({ where: { authorId } });
    await client.post(`/admin/posts/${id}`, {
      intent: 'save',
      version: String(version),
      title: 'Newer',
      parentId: '',
    });
    const stale = {
      intent: 'save',
      version: String(version),
      title: 'Older',
      type: 'page',
      parentId: hiddenPage,
    };
    const answer = await client.post(`/admin/posts/${id}`, stale);
    expect(answer.status).toBe(409);
    expect(SECRET.exec(answer.text)).toBeNull();
  });

  it('several posts that are chosen at once name no release of others', async () => {
    const { client } = people[role];
    const form = { action: 'delete', ids: [hiddenDraft, ownPost] };
    expect(RELEASE.exec((await client.post('/admin/posts/bulk', form)).text)).toBeNull();
  });
});

const pageId = async (slug: string) =>
  (await app.db.post.findUniqueOrThrow({ where: { slug: `/${slug}` } })).id;

it('the comparison of two times names neither posts nor tags of others’ plans to an author', async () => {
  const at = new Date(Date.now() + 2 * HOUR).toISOString().slice(0, 16);
  const { client } = people.author;
  const shown = await textOf(client, `/admin/time?at=${at}`);
  expect(shown).toContain('Someone else’s post');
  expect(shown).not.toMatch(/Zeppelin (three|flight)|zeppelin-|\/tomorrow/);
  const toEditors = await textOf(people.editor.client, `/admin/time?at=${at}`);
  for (const path of ['/posts/tomorrow', '/tags/zeppelin-three']) expect(toEditors).toContain(path);
  expect((await people.contributor.client.get(`/admin/time?at=${at}`)).status).toBe(403);
});

it('a filter by such a tag shows and counts nothing', async () => {
  const text = await textOf(people.contributor.client, `/admin/posts?tag=${tagIds['Zeppelin two']}`);
  expect(text).not.toMatch(SECRET);
});

it('a contributor’s own file in a release of others is kept without naming the release', async () => {
  const { path } = await app.db.media.findUniqueOrThrow({ where: { id: mediaId } });
  await app.db.releaseItem.updateMany({
    data: { fields: JSON.stringify({ body: `![](/uploads/${path})` }) },
  });
  const refused = await people.contributor.client.post(`/admin/media/${mediaId}`, { intent: 'delete' }, json);
  expect(refused.status).toBe(403);
  expect(refused.text).not.toMatch(RELEASE);
  const told = await people.editor.client.post(`/admin/media/${mediaId}`, { intent: 'delete' }, json);
  expect([told.status, RELEASE.test(told.text)]).toEqual([400, true]);
});

it('whoever has a page below a hidden one keeps it there, and sees the address instead of the title', async () => {
  const { client, id: authorId } = people.contributor;
  const id = await save('contributor', { type: 'page', title: 'Annex' });
  const below = { intent: 'save', version: '1', parentId: hiddenPage };
  expect((await people.editor.client.post(`/admin/posts/${id}`, below, json)).status).toBe(200);
  const page = await textOf(client, `/admin/posts/${id}`);
  expect(page).toContain(`value="${hiddenPage}" selected`);
  expect(page).not.toContain('Zeppelin plans');
  const renamed = { intent: 'save', version: '2', slug: 'wing', parentId: hiddenPage };
  expect((await client.post(`/admin/posts/${id}`, renamed, json)).status).toBe(200);
  expect(await app.db.post.findUnique({ where: { id } })).toMatchObject({
    authorId,
    slug: '/zeppelin-plans/wing',
  });
});
