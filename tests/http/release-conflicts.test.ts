// Two editors of one post's change in one release: the second save gets a 409 with both texts of the release.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let ada: Client;
let bob: Client;
let id: string;
let releaseId: string;

beforeAll(async () => {
  const site = await openSite();
  ({ app, editor: ada } = site);
  bob = (await createPerson(app, site.server, 'editor')).client;
});
beforeEach(async () => {
  const fields = { status: 'published', title: 'Tides', excerpt: 'Public', body: 'Public' } as const;
  ({ id } = await createPost(app, fields));
  // The first revision, which a conflict begins with.
  expect((await script(ada, { version: '1', title: 'Tides' })).status).toBe(200);
  const made = await ada.post('/admin/releases/new', { name: 'Spring' }, { accept: 'application/json' });
  releaseId = made.json<{ id: string }>().id;
});

const formOf = (html: string) => postForms(html).find(({ fields }) => 'version' in fields)!.fields;
const open = async (who: Client, release = releaseId) =>
  formOf((await who.get(`/admin/posts/${id}?release=${release}`)).text);
const save = (who: Client, fields: Fields) => who.post(`/admin/posts/${id}`, { ...fields, intent: 'save' });
const change = async () =>
  JSON.parse(
    (await app.db.releaseItem.findFirstOrThrow({ where: { releaseId, subjectId: id } })).fields,
  ) as object;
const script = (who: Client, fields: Fields) =>
  who.post(`/admin/posts/${id}`, { ...fields, intent: 'save' }, { accept: 'application/json' });

it('shows what the other one saved to the release, and saves both', async () => {
  const [ofAda, ofBob] = [await open(ada), await open(bob)];
  expect((await save(ada, { ...ofAda, body: 'By Ada' })).status).toBe(302);
  const refused = await save(bob, { ...ofBob, excerpt: 'By Bob' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`?release=${releaseId}`);
  expect(await change()).toEqual({ body: 'By Ada' });
  expect((await save(bob, formOf(refused.text))).status).toBe(302);
  expect(await change()).toEqual({ body: 'By Ada', excerpt: 'By Bob' });
  const answer = await script(bob, { ...ofBob, title: 'By Bob' });
  expect(answer.json()).toMatchObject({ current: { fields: { body: 'By Ada', excerpt: 'By Bob' } } });
});

it('a save that is sent twice is no conflict', async () => {
  const form = { ...(await open(ada)), body: 'By Ada' };
  const first = await save(ada, form);
  const second = await save(ada, form);
  expect([second.status, second.headers.location]).toEqual([302, first.headers.location]);
});

it('does not disturb who edits the public post, or its change in another release', async () => {
  const live = await open(bob, '');
  const other = await ada.post('/admin/releases/new', { name: 'Autumn' }, { accept: 'application/json' });
  const { id: autumn } = other.json<{ id: string }>();
  const ofAutumn = await open(bob, autumn);
  expect((await save(ada, { ...(await open(ada)), body: 'By Ada' })).status).toBe(302);
  expect((await save(bob, { ...ofAutumn, body: 'In autumn' })).status).toBe(302);
  expect((await save(bob, { ...live, excerpt: 'Corrected' })).status).toBe(302);
  expect(await change()).toEqual({ body: 'By Ada' });
  const late = await save(ada, { ...live, excerpt: 'Too late' });
  expect(late.status).toBe(409);
});

it('a script that sends some fields keeps the others of the change', async () => {
  const { version } = (await script(ada, { version: '2', releaseId, body: 'New' })).json<{
    version: number;
  }>();
  expect((await script(ada, { version: String(version), releaseId, title: 'New title' })).status).toBe(200);
  expect(await change()).toEqual({ title: 'New title', body: 'New' });
});
