// Drafts that autosave writes themselves: their title, and texts that cross the loading of the next page.
import { v7 as newUuid } from 'uuid';
import { beforeAll, expect, it } from 'vitest';
import { digestOfSent } from '#app/admin/editor/saving/sent-text.ts';
import type { TestApp } from '#tests/support/app.ts';
import { localTime } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let editor: Client;

beforeAll(async () => {
  ({ app, editor } = await openSite());
});

const json = { accept: 'application/json' };
const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });
const autosave = (path: string, fields: Fields) =>
  editor.post(`/admin/posts/${path}`, { intent: 'autosave', ...fields }, json);

it('a draft whose title nobody has typed opens without one, and goes nowhere without one', async () => {
  const id = newUuid();
  await autosave('new', { id, title: '', body: 'Words' });
  const page = postForms((await editor.get(`/admin/posts/${id}`)).text);
  expect(page.find(({ fields }) => 'body' in fields)!.fields.title).toEqual(['']);
  const publishedAt = localTime(new Date(Date.now() + 3_600_000));
  const steps: Fields[] = [{ intent: 'publish' }, { intent: 'schedule', publishedAt }];
  for (const step of steps) {
    const fields = { version: '1', ...step };
    const { status, json: answer } = await editor.post(`/admin/posts/${id}`, fields, json);
    expect([status, answer()]).toEqual([400, { errors: { title: 'Title is required.' } }]);
  }
  expect(await rowOf(id)).toMatchObject({ status: 'draft', version: 1, title: 'Untitled' });
  const named = { version: '1', intent: 'publish', title: 'Named' };
  expect((await editor.post(`/admin/posts/${id}`, named, json)).status).toBe(200);
});

it('a page that is opened before the text of the page before arrives leaves no unsaved changes', async () => {
  const { id } = await createPost(app, { body: 'One' });
  const copies = () => app.db.revision.count({ where: { postId: id, kind: 'autosave' } });
  await autosave(id, { version: '1', body: 'One, two' });
  const repeated = await autosave(id, { version: '1', body: 'One, two' });
  expect([repeated.status, await copies()]).toEqual([409, 0]);
  const typedOn = await autosave(id, { version: '1', body: 'One, two, three' });
  const { current } = typedOn.json<{ current: { version: number } }>();
  expect([typedOn.status, current.version, await copies()]).toEqual([409, 2, 1]);
  const copy = await app.db.revision.findFirstOrThrow({ where: { postId: id, kind: 'autosave' } });
  const autosavedAt = copy.createdAt.toISOString();
  await autosave(id, { version: String(current.version), autosavedAt, body: 'One, two, three, four' });
  expect([(await rowOf(id)).body, await copies()]).toEqual(['One, two, three, four', 0]);
  // The page says what the page before has sent.
  const sent = digestOfSent({ body: 'One, two, three, four' });
  const continued = await autosave(id, { version: '1', sent, body: 'Five' });
  expect([continued.status, (await rowOf(id)).body, await copies()]).toEqual([200, 'Five', 0]);
});
