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
  releaseId = await addRelease('Spring');
});

async function addRelease(name: string): Promise<string> {
  const made = await ada.post('/admin/releases/new', { name }, { accept: 'application/json' });
  return made.json<{ id: string }>().id;
}
const formOf = (html: string) => postForms(html).find(({ fields }) => 'version' in fields)!.fields;
const open = async (who: Client, release = releaseId) =>
  formOf((await who.get(`/admin/posts/${id}?release=${release}`)).text);
const save = (who: Client, fields: Fields, intent = 'save') =>
  who.post(`/admin/posts/${id}`, { ...fields, intent });
const itemOf = () => app.db.releaseItem.findFirstOrThrow({ where: { releaseId, subjectId: id } });
const change = async () => JSON.parse((await itemOf()).fields) as object;
const rejected = () => app.db.revision.count({ where: { postId: id, kind: 'conflict' } });

it('shows the second one what the first saved to the release, and saves both', async () => {
  expect((await save(ada, { ...(await open(ada)), title: 'Ebb' })).status).toBe(302);
  const [ofAda, ofBob] = [await open(ada), await open(bob)];
  expect((await save(ada, { ...ofAda, body: 'By Ada' })).status).toBe(302);
  const refused = await save(bob, { ...ofBob, excerpt: 'By Bob' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`?release=${releaseId}`);
  expect(await change()).toEqual({ title: 'Ebb', body: 'By Ada' });
  expect(await rejected()).toBe(1);
  const combined = formOf(refused.text);
  expect([combined.title, combined.body]).toEqual([['Ebb'], ['By Ada']]);
  expect((await save(bob, combined)).status).toBe(302);
  expect(await change()).toEqual({ title: 'Ebb', body: 'By Ada', excerpt: 'By Bob' });
});

it('also when both begin with the public text, and when the second one archives', async () => {
  const [ofAda, ofBob] = [await open(ada, ''), await open(bob, '')];
  expect((await save(ada, { ...ofAda, releaseId, body: 'By Ada' })).status).toBe(302);
  expect((await save(bob, { ...ofBob, releaseId, body: 'By Bob' })).status).toBe(409);
  const archive = { ...ofBob, releaseId, excerpt: 'Last words of Bob' };
  expect((await save(bob, archive, 'archive')).status).toBe(409);
  expect(await change()).toEqual({ body: 'By Ada' });
  expect(await rejected()).toBe(2);
});

it('also when the first one archives, or saves after the unsaved changes of the second', async () => {
  const ofBob = await open(bob);
  expect((await save(ada, await open(ada), 'archive')).status).toBe(302);
  expect((await save(bob, { ...ofBob, body: 'By Bob' })).status).toBe(409);
  expect((await itemOf()).action).toBe('archive');
  const typed = { ...(await open(bob)), body: 'Typed by Bob', intent: 'autosave' };
  await bob.post(`/admin/posts/${id}`, typed, { accept: 'application/json' });
  app.clock.advance(1_000);
  expect((await save(ada, { ...(await open(ada)), body: 'By Ada' })).status).toBe(302);
  const { id: copy } = await app.db.revision.findFirstOrThrow({ where: { postId: id, kind: 'autosave' } });
  const restored = formOf((await bob.get(`/admin/posts/${id}?release=${releaseId}&with=${copy}`)).text);
  expect(restored.body).toEqual(['Typed by Bob']);
  expect((await save(bob, restored)).status).toBe(409);
  expect(await change()).toEqual({ body: 'By Ada' });
});

it('also when the second one typed on after the save of the first, and restores what was typed', async () => {
  const ofBob = await open(bob);
  expect((await save(ada, { ...(await open(ada)), title: 'By Ada' })).status).toBe(302);
  app.clock.advance(1_000);
  const typed = { ...ofBob, body: 'Typed by Bob', intent: 'autosave' };
  await bob.post(`/admin/posts/${id}`, typed, { accept: 'application/json' });
  const { id: copy } = await app.db.revision.findFirstOrThrow({ where: { postId: id, kind: 'autosave' } });
  const restored = formOf((await bob.get(`/admin/posts/${id}?release=${releaseId}&with=${copy}`)).text);
  expect(restored.body).toEqual(['Typed by Bob']);
  const refused = await save(bob, restored);
  expect(refused.status).toBe(409);
  expect(await change()).toEqual({ title: 'By Ada' });
  expect((await save(bob, formOf(refused.text))).status).toBe(302);
  expect(await change()).toEqual({ title: 'By Ada', body: 'Typed by Bob' });
});

it('also when the second one opened the public text before the first one archived, and says so', async () => {
  const ofBob = await open(bob, '');
  expect((await save(ada, { ...(await open(ada, '')), releaseId }, 'archive')).status).toBe(302);
  const refused = await save(bob, { ...ofBob, releaseId, body: 'By Bob' });
  expect(refused.status).toBe(409);
  expect(refused.text.replaceAll(/<!-- -->|<[^>]+>/g, '')).toContain('Archived by Spring');
  expect((await itemOf()).action).toBe('archive');
  expect((await save(bob, formOf(refused.text))).status).toBe(302);
  expect(await change()).toEqual({ body: 'By Bob' });
  // Opened after it, the form says that the release archives the post.
  expect((await save(ada, await open(ada), 'archive')).status).toBe(302);
  const later = await open(bob, '');
  expect((await save(bob, { ...later, releaseId, body: 'Again by Bob' })).status).toBe(302);
  expect(await change()).toEqual({ body: 'Again by Bob' });
});

it('also when the first one is the same editor in another tab; a page that goes on knows its own save', async () => {
  const [first, second] = [await open(ada), await open(ada)];
  const json = { accept: 'application/json' };
  const send = async (fields: Fields) => {
    const answer = await ada.post(`/admin/posts/${id}`, { ...fields, intent: 'save' }, json);
    return { ...answer.json<{ releaseText?: string }>(), status: answer.status };
  };
  const saved = await send({ ...first, body: 'In the first tab' });
  expect(saved.status).toBe(200);
  const refused = await save(ada, { ...second, excerpt: 'In the second tab' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('You saved this post elsewhere');
  expect(await change()).toEqual({ body: 'In the first tab' });
  const { releaseText } = saved;
  expect((await send({ ...first, body: 'Typed on', releaseText: releaseText! })).status).toBe(200);
  expect(await change()).toEqual({ body: 'Typed on' });
});

it('names the parent pages of both versions, and on the screen of the release', async () => {
  const make = async (title: string) => {
    const fields = { title, type: 'page', intent: 'publish' };
    const made = await ada.post('/admin/posts/new', fields, { accept: 'application/json' });
    return made.json<{ id: string }>().id;
  };
  const [harbour, pier] = [await make('Harbour'), await make('Pier')];
  id = await make('Boats');
  const ofBob = await open(bob);
  expect((await save(ada, { ...(await open(ada)), parentId: harbour })).status).toBe(302);
  expect((await ada.get(`/admin/releases/${releaseId}`)).text).toContain('<ins>Harbour</ins>');
  const refused = await save(bob, { ...ofBob, parentId: pier });
  expect(refused.status).toBe(409);
  for (const name of ['Harbour', 'Pier']) expect(refused.text).toContain(`<dd>${name}</dd>`);
  expect(formOf(refused.text).parentId).toEqual([pier]);
});

it('of several posts with unsaved changes, that whose change in the release is a colleague’s is not added', async () => {
  expect((await save(ada, { ...(await open(ada)), body: 'By Ada' })).status).toBe(302);
  const typed = { ...(await open(bob, '')), body: 'Typed by Bob', intent: 'autosave' };
  await bob.post(`/admin/posts/${id}`, typed, { accept: 'application/json' });
  const bulk = { ids: id, action: 'release', confirmed: 'yes', copy: 'use', releaseId };
  const answer = await bob.post('/admin/posts/bulk', bulk);
  expect(answer.text).toContain('Someone else changed this post in the release.');
  expect(await change()).toEqual({ body: 'By Ada' });
  expect(await app.db.revision.count({ where: { postId: id, kind: 'autosave' } })).toBe(1);
});

it('of several posts with unsaved changes, none replaces that the release archives it or takes it back', async () => {
  const bulk = { ids: id, action: 'release', confirmed: 'yes', copy: 'use', releaseId };
  const typed = { ...(await open(ada, '')), body: 'Typed by Ada', intent: 'autosave' };
  await ada.post(`/admin/posts/${id}`, typed, { accept: 'application/json' });
  expect((await save(ada, await open(ada), 'archive')).status).toBe(302);
  for (const action of ['archive', 'restore']) {
    await app.db.releaseItem.update({ where: { id: (await itemOf()).id }, data: { action } });
    const answer = await ada.post('/admin/posts/bulk', bulk);
    expect(answer.text).toContain('The release archives this post or restores an earlier state');
    expect((await itemOf()).action).toBe(action);
  }
  // A text of hers gets them.
  const data = { action: 'update', fields: JSON.stringify({ title: 'Ebb' }) };
  await app.db.releaseItem.update({ where: { id: (await itemOf()).id }, data });
  expect((await ada.post('/admin/posts/bulk', bulk)).status).toBe(302);
  expect(await change()).toEqual({ title: 'Ebb', body: 'Typed by Ada' });
});

it('what was typed in a form that archives with the release stays as a revision', async () => {
  const kept = () =>
    app.db.revision.findMany({ where: { postId: id, kind: 'prepare' }, select: { fields: true } });
  expect((await save(ada, { ...(await open(ada)) }, 'archive')).status).toBe(302);
  expect(await kept()).toEqual([]);
  expect((await save(ada, { ...(await open(ada)), body: 'Last words' }, 'archive')).status).toBe(302);
  expect(await kept()).toEqual([{ fields: expect.stringContaining('Last words') as string }]);
  expect(await itemOf()).toMatchObject({ action: 'archive', fields: '{}' });
});

it('after an own archive, combines what a colleague has changed with what is typed on', async () => {
  const json = { accept: 'application/json' };
  const form = await open(ada);
  const archived = await ada.post(`/admin/posts/${id}`, { ...form, intent: 'archive' }, json);
  const { releaseText } = archived.json<{ releaseText: string }>();
  expect((await save(bob, { ...(await open(bob)), title: 'By Bob' })).status).toBe(302);
  const refused = await save(ada, { ...form, releaseText, body: 'By Ada' });
  expect(refused.status).toBe(409);
  const combined = formOf(refused.text);
  expect([combined.title, combined.body]).toEqual([['By Bob'], ['By Ada']]);
});

it('a name of the shown text that is too long is as an unknown one', async () => {
  const ofBob = await open(bob, '');
  expect((await save(ada, { ...(await open(ada)), body: 'By Ada' })).status).toBe(302);
  const releaseText = ['public', ...Array.from({ length: 60 }, () => releaseId)].join(' ');
  expect((await save(bob, { ...ofBob, releaseId, releaseText, body: 'By Bob' })).status).toBe(409);
  expect(await change()).toEqual({ body: 'By Ada' });
});

it('disturbs no save that is sent twice, of a script, elsewhere, or of what was not changed', async () => {
  const ofAda = { ...(await open(ada)), body: 'By Ada' };
  const [ofBob, live, autumn] = [await open(bob), await open(bob, ''), await addRelease('Autumn')];
  for (const _time of ['first', 'second']) expect((await save(ada, ofAda)).status).toBe(302);
  expect((await save(bob, { ...live, releaseId: autumn, body: 'In autumn' })).status).toBe(302);
  const { version } = ofBob;
  expect((await save(bob, { version: version!, releaseId, title: 'By a script' })).status).toBe(302);
  expect(await change()).toEqual({ title: 'By a script', body: 'By Ada' });
  // Added to the release without a change.
  await app.db.releaseItem.update({ where: { id: (await itemOf()).id }, data: { fields: '{}' } });
  expect((await save(ada, { ...(await open(ada, '')), releaseId, body: 'New' })).status).toBe(302);
  expect((await save(bob, { ...live, excerpt: 'Corrected' })).status).toBe(302);
});
