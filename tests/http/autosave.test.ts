import { v7 as newUuid } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { localTime } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
});

const json = { accept: 'application/json' };
const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });
const autosave = (path: string, fields: Fields) =>
  editor.post(`/admin/posts/${path}`, { intent: 'autosave', ...fields }, json);
/** A post in a state, with unsaved changes of the editor beside it. */
async function withUnsaved(status: string, body = 'Typed and not saved') {
  const { id } = await createPost(app, { status, title: 'Tides', body: 'Saved' });
  expect((await autosave(id, { version: '1', body })).json()).toMatchObject({ saved: 'copy', version: 1 });
  return id;
}

it('the first autosave of a new post makes the draft, and the same id again is the same post', async () => {
  const id = newUuid();
  const before = await app.db.post.count();
  const first = await autosave('new', { id, body: 'One' });
  expect(first.status).toBe(200);
  expect(first.json()).toEqual({ saved: 'post', version: 1, savedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  const second = await autosave('new', { id, version: '1', title: 'Typed', body: 'One, two' });
  expect(second.json()).toMatchObject({ saved: 'post', version: 2 });
  expect(await rowOf(id)).toMatchObject({ title: 'Typed', body: 'One, two', status: 'draft', version: 2 });
  expect(await app.db.post.count()).toBe(before + 1);
  const page = postForms((await editor.get(`/admin/posts/${id}`)).text).find(
    ({ fields }) => 'body' in fields,
  )!;
  expect([page.fields.body, page.fields.version]).toEqual([['One, two'], ['2']]);
});

it('an id that is no UUIDv7 makes no post', async () => {
  for (const id of ['', 'x', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff']) {
    const { status, json } = await autosave('new', { id, title: 'No' });
    expect([status, json()]).toEqual([400, expect.anything()]);
  }
  expect(await app.db.post.count({ where: { title: 'No' } })).toBe(0);
});

it('an autosave of a draft is in the draft, and bulk publish publishes it', async () => {
  const { id, slug } = await createPost(app, { body: 'Old' });
  expect((await autosave(id, { version: '1', body: 'Newest' })).json()).toMatchObject({
    saved: 'post',
    version: 2,
  });
  expect((await editor.get(`/admin/posts/${id}`)).text).not.toContain('You have unsaved changes');
  const bulk = { action: 'publish', ids: id, confirmed: 'yes' };
  expect((await editor.post('/admin/posts/bulk', bulk)).status).toBe(302);
  expect((await server.client().get(`/posts/${slug}`)).text).toContain('Newest');
});

it.each(['scheduled', 'published', 'archived'])(
  'an autosave of a %s post is a copy beside it',
  async (status) => {
    const id = await withUnsaved(status);
    expect(await rowOf(id)).toMatchObject({ body: 'Saved', version: 1, status });
    const page = await editor.get(`/admin/posts/${id}`);
    expect(page.text).toContain('You have unsaved changes');
    const restore = /href="(\?with=[^"]+)"/.exec(page.text)![1]!;
    const restored = postForms((await editor.get(`/admin/posts/${id}${restore}`)).text);
    expect(restored.find(({ fields }) => 'body' in fields)!.fields.body).toEqual(['Typed and not saved']);
  },
);

it('typing on without restoring unsaved changes keeps these as a revision; typing on with them does not', async () => {
  const id = await withUnsaved('published');
  const keptTexts = async () =>
    (await app.db.revision.findMany({ where: { postId: id, kind: 'conflict' } })).map(({ fields }) => fields);
  const page = await editor.get(`/admin/posts/${id}`);
  const shown = postForms(page.text).find(({ fields }) => 'body' in fields)!.fields;
  expect((await autosave(id, { ...shown, body: 'Saved, and on' })).json()).toMatchObject({ saved: 'copy' });
  expect(await keptTexts()).toEqual([expect.stringContaining('Typed and not saved')]);
  const again = await editor.get(`/admin/posts/${id}`);
  const restore = /href="(\?with=[^"]+)"/.exec(again.text)![1]!;
  const restored = postForms((await editor.get(`/admin/posts/${id}${restore}`)).text);
  const { fields } = restored.find((form) => 'body' in form.fields)!;
  await autosave(id, { ...fields, body: 'Saved, and on, and on' });
  expect(await keptTexts()).toHaveLength(1);
});

it('an autosave by the form of a page leads back to the post', async () => {
  const page = { accept: 'text/html,*/*;q=0.8' };
  const { id } = await createPost(app);
  const fields = { intent: 'autosave', version: '1', body: 'x' };
  const { status, headers } = await editor.post(`/admin/posts/${id}`, fields, page);
  expect([status, headers.location]).toEqual([302, `/admin/posts/${id}`]);
  const fresh = newUuid();
  const made = await editor.post('/admin/posts/new', { intent: 'autosave', id: fresh, body: 'x' }, page);
  expect([made.status, made.headers.location]).toEqual([302, `/admin/posts/${fresh}`]);
});

it.each([{}, { accept: '*/*' }])(
  'a script that sends %j gets the answer to its autosave',
  async (headers) => {
    const { id } = await createPost(app);
    const answer = await editor.post(
      `/admin/posts/${id}`,
      { intent: 'autosave', version: '1', body: 'x' },
      headers,
    );
    expect(answer.json()).toEqual({ saved: 'post', version: 2, savedAt: expect.any(String) });
  },
);

it('an autosave from an older version answers 409 with the current text', async () => {
  const { id } = await createPost(app, { title: 'Tides', body: 'Opened' });
  await editor.post(`/admin/posts/${id}`, { intent: 'save', version: '1', body: 'Newer' });
  const answer = await autosave(id, { version: '1', body: 'Mine' });
  expect(answer.status).toBe(409);
  expect(answer.json()).toMatchObject({
    error: { code: 'conflict' },
    current: { fields: { body: 'Newer' }, version: 2, editedBy: 'Ada Lovelace' },
  });
  expect((await rowOf(id)).body).toBe('Newer');
});

describe.each([
  ['draft', 'draft'],
  ['publish', 'published'],
  ['archive', 'archived'],
  ['schedule', 'scheduled'],
])('“%s” of a post with unsaved changes', (intent, status) => {
  const publishedAt = localTime(new Date(Date.now() + 3_600_000));
  const fields = {
    ...{ intent, version: '1', title: 'Tides', body: 'Saved' },
    ...(intent === 'schedule' && { publishedAt }),
  };

  it('never takes an older text than the newest without asking', async () => {
    const id = await withUnsaved('published');
    const asked = await editor.post(`/admin/posts/${id}`, fields, json);
    expect(asked.status).toBe(409);
    const newest = { title: 'Tides', body: 'Typed and not saved' };
    expect(asked.json()).toMatchObject({
      error: { code: 'conflict' },
      current: { fields: newest, version: 1, editedBy: 'Ada Lovelace' },
    });
    expect(await rowOf(id)).toMatchObject({ status: 'published', version: 1 });
  });

  it('asks which text to use, and takes the unsaved one', async () => {
    const id = await withUnsaved('published');
    const page = await editor.post(`/admin/posts/${id}`, fields);
    expect(page.status).toBe(409);
    const form = postForms(page.text).find(({ buttons }) => buttons.some(({ name }) => name === 'copy'))!;
    expect(form.buttons.map(({ value, text }) => [value, text])).toEqual([
      ['use', 'Use my unsaved changes'],
      ['drop', 'Use the saved version'],
    ]);
    expect((await editor.post(`/admin/posts/${id}`, { ...form.fields, copy: 'use' })).status).toBe(302);
    const after = await rowOf(id);
    expect(after).toMatchObject({ body: 'Typed and not saved', status, version: 2 });
    if (intent === 'schedule') expect(localTime(after.publishedAt!)).toBe(publishedAt);
    expect((await editor.get(`/admin/posts/${id}`)).text).not.toContain('You have unsaved changes');
  });
});

it.each(['use', 'drop'])('a deletion asks too; with “%s” nothing that was typed is lost', async (copy) => {
  const id = await withUnsaved('published', `Typed before ${copy}`);
  const fields = { intent: 'delete', version: '1' };
  const asked = await editor.post(`/admin/posts/${id}`, fields, json);
  expect([asked.status, asked.json()]).toMatchObject([409, { current: { version: 1 } }]);
  expect((await editor.post(`/admin/posts/${id}`, { ...fields, copy })).status).toBe(302);
  await editor.post('/admin/trash', { id, kind: 'post', intent: 'restore' });
  expect((await editor.get(`/admin/posts/${id}`)).text).toContain('You have unsaved changes');
});

it('“Use the saved version” takes it, and the unsaved changes stay among the revisions', async () => {
  const id = await withUnsaved('published');
  const fields = { intent: 'draft', version: '1', body: 'Saved', copy: 'drop' };
  expect((await editor.post(`/admin/posts/${id}`, fields)).status).toBe(302);
  expect(await rowOf(id)).toMatchObject({ body: 'Saved', status: 'draft' });
  expect(await app.db.revision.findFirst({ where: { postId: id, kind: 'conflict' } })).toMatchObject({
    fields: expect.stringContaining('Typed and not saved') as string,
  });
});

it('a form that holds the unsaved changes is not asked', async () => {
  const id = await withUnsaved('archived');
  const same = { intent: 'publish', version: '1', body: 'Typed and not saved' };
  expect((await editor.post(`/admin/posts/${id}`, same)).status).toBe(302);
  const other = await withUnsaved('archived');
  const copy = await app.db.revision.findFirstOrThrow({ where: { postId: other, kind: 'autosave' } });
  const autosavedAt = copy.createdAt.toISOString();
  const later = { intent: 'publish', version: '1', body: 'Typed on', autosavedAt };
  expect((await editor.post(`/admin/posts/${other}`, later)).status).toBe(302);
  expect((await rowOf(other)).body).toBe('Typed on');
});

it('unsaved changes of fields that somebody else has changed since meet theirs', async () => {
  const id = await withUnsaved('published');
  await app.db.post.update({ where: { id }, data: { body: 'Theirs', version: 2 } });
  await app.db.revision.create({
    data: {
      id: newUuid(),
      postId: id,
      postVersion: 1,
      kind: 'save',
      fields: JSON.stringify({ title: 'Tides', body: 'Saved' }),
      createdAt: new Date(0),
      updatedAt: new Date(0),
    },
  });
  const both = await editor.post(`/admin/posts/${id}`, { intent: 'draft', version: '2', copy: 'use' });
  expect([both.status, both.text]).toEqual([409, expect.stringContaining('Two versions of')]);
  expect((await rowOf(id)).body).toBe('Theirs');
});

it('a bulk action asks once for all posts, before it changes any', async () => {
  const [first, second] = [await withUnsaved('published'), await withUnsaved('published', 'Other')];
  const plain = (await createPost(app, { status: 'published' })).id;
  const ids = [first, second, plain];
  const bulk = { action: 'draft', ids, confirmed: 'yes' };
  const asked = await editor.post('/admin/posts/bulk', bulk, json);
  expect(asked.status).toBe(409);
  expect(asked.json()).toMatchObject({
    error: { code: 'conflict' },
    current: { version: 1, editedBy: 'Ada Lovelace' },
  });
  const page = await editor.post('/admin/posts/bulk', bulk);
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('Use my unsaved changes')]);
  expect(await app.db.post.count({ where: { id: { in: ids }, status: 'published' } })).toBe(3);
  expect((await editor.post('/admin/posts/bulk', { ...bulk, copy: 'use' })).status).toBe(302);
  expect(await app.db.post.count({ where: { id: { in: ids }, status: 'draft' } })).toBe(3);
  expect([(await rowOf(first)).body, (await rowOf(second)).body]).toEqual(['Typed and not saved', 'Other']);
});

describe('adding posts to a release', () => {
  let releaseId: string;
  let ids: string[];
  let bulk: Fields;
  beforeAll(async () => {
    const made = await editor.post('/admin/releases/new', { name: 'Spring' }, json);
    releaseId = made.json<{ id: string }>().id;
    ids = [await withUnsaved('published'), await withUnsaved('archived'), (await createPost(app)).id];
    const earlier = { intent: 'save', version: '1', body: 'Kept before', excerpt: 'Kept', releaseId };
    ids.push((await createPost(app, { status: 'published', body: 'Saved' })).id);
    expect((await editor.post(`/admin/posts/${ids[3]}`, earlier, json)).status).toBe(200);
    expect((await autosave(ids[3]!, { version: '1', body: 'Typed later' })).status).toBe(200);
    bulk = { action: 'release', ids, confirmed: 'yes', releaseId };
  });
  const stored = async () => {
    const items = await app.db.releaseItem.findMany({ where: { releaseId } });
    const found = ids.map((id) => items.find(({ subjectId }) => subjectId === id));
    return found.map((item) => item && [item.action, JSON.parse(item.fields) as unknown]);
  };
  const before = ['update', { body: 'Kept before', excerpt: 'Kept' }];

  it('asks which text to use, before it adds any', async () => {
    const asked = await editor.post('/admin/posts/bulk', bulk, json);
    expect([asked.status, asked.json()]).toMatchObject([409, { current: { version: 1 } }]);
    const page = await editor.post('/admin/posts/bulk', bulk);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('Use my unsaved changes')]);
    expect(page.text).toContain(`<option value="${releaseId}" selected="">`);
    expect(await stored()).toEqual([undefined, undefined, undefined, before]);
  });

  it('“Use the saved version” adds them without the unsaved changes, which stay', async () => {
    expect((await editor.post('/admin/posts/bulk', { ...bulk, copy: 'drop' })).status).toBe(302);
    expect(await stored()).toEqual([['update', {}], ['publish', {}], ['publish', {}], before]);
    expect(await app.db.revision.count({ where: { postId: ids[0], kind: 'autosave' } })).toBe(1);
    await editor.post(`/admin/releases/${releaseId}`, { remove: ids.slice(0, 3).join(',') });
  });

  it('“Use my unsaved changes” puts them into the release, and nothing of them before readers', async () => {
    expect((await editor.post('/admin/posts/bulk', { ...bulk, copy: 'use' })).status).toBe(302);
    const later = { body: 'Typed later', excerpt: 'Kept' };
    const typed = ['update', { body: 'Typed and not saved' }];
    expect(await stored()).toEqual([typed, ['publish', {}], ['publish', {}], ['update', later]]);
    const rows = await Promise.all([ids[0]!, ids[1]!, ids[3]!].map(rowOf));
    expect(rows.map(({ body }) => body)).toEqual(['Saved', 'Typed and not saved', 'Saved']);
  });
});

it('an open editor learns who has changed the post', async () => {
  const { id } = await createPost(app);
  await editor.post(`/admin/posts/${id}`, { intent: 'save', version: '1', body: 'Changed' });
  const { status, headers, json: body } = await editor.get(`/admin/posts/${id}/state`, json);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  const { updatedAt } = await rowOf(id);
  const state = { version: 2, status: 'draft', editedBy: 'Ada Lovelace', updatedAt: updatedAt.toISOString() };
  expect(body()).toEqual(state);
  expect((await editor.get(`/admin/posts/${newUuid()}/state`, json)).status).toBe(404);
});
