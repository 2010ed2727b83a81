// Two people who change the same settings, term or author in one release: nobody's change is lost without a question.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let ada: Client;
let bob: Client;
let releaseId: string;
let tagId: string;
let count = 0;

beforeAll(async () => {
  const site = await openSite();
  ({ app } = site);
  ada = (await createPerson(app, site.server, 'administrator')).client;
  bob = (await createPerson(app, site.server, 'administrator')).client;
});
beforeEach(async () => {
  count += 1;
  const made = async (path: string, fields: Fields) =>
    (await ada.post(`/admin/${path}`, fields, { accept: 'application/json' })).json<{ id: string }>().id;
  releaseId = await made('releases/new', { name: 'Spring' });
  tagId = await made('tags', { name: `Wind ${count}`, description: 'Old' });
});

const formOf = (html: string) => postForms(html).find(({ fields }) => 'releaseId' in fields)!.fields;
const tag = () => `/admin/tags/${tagId}`;
const inRelease = (path: string) => `${path}?release=${releaseId}`;
const open = async (who: Client, path: string) => formOf((await who.get(path)).text);
/** Saves a form as its page would, at a later time. */
async function save(who: Client, path: string, fields: Fields) {
  app.clock.advance(1_000);
  return who.post(path, { ...fields, releaseId });
}
const changeOf = async (subjectId: string) => {
  const item = await app.db.releaseItem.findFirstOrThrow({ where: { releaseId, subjectId } });
  return JSON.parse(item.fields) as object;
};

it('the second one is asked, and replaces the change of the first with a second press', async () => {
  const path = inRelease(tag());
  const ofBob = await open(bob, path);
  expect((await save(ada, path, { ...(await open(ada, path)), description: 'By Ada' })).status).toBe(302);
  const refused = await save(bob, path, { ...ofBob, description: 'By Bob' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Someone else changed this in the release');
  expect(await changeOf(tagId)).toEqual({ description: 'By Ada' });
  const again = formOf(refused.text);
  expect(again.description).toEqual(['By Bob']);
  expect((await save(bob, path, again)).status).toBe(302);
  expect(await changeOf(tagId)).toEqual({ description: 'By Bob' });
});

it('also after the form came back for another reason', async () => {
  const path = inRelease(tag());
  const ofBob = await open(bob, path);
  expect((await save(ada, path, { ...(await open(ada, path)), description: 'By Ada' })).status).toBe(302);
  const wrong = await save(bob, path, { ...ofBob, name: '', description: 'By Bob' });
  expect(wrong.status).toBe(400);
  expect((await save(bob, path, { ...formOf(wrong.text), name: 'Gale' })).status).toBe(409);
});

it('the form of the present texts keeps what the release changes elsewhere in the same thing', async () => {
  const ofBob = await open(bob, tag());
  expect((await save(ada, tag(), { ...(await open(ada, tag())), description: 'By Ada' })).status).toBe(302);
  expect((await save(bob, tag(), { ...ofBob, name: 'Gale' })).status).toBe(302);
  expect(await changeOf(tagId)).toEqual({ description: 'By Ada', name: 'Gale' });
  // Bob has not seen the description, though the last change of the tag is his.
  expect((await save(bob, tag(), { ...ofBob, description: 'By Bob' })).status).toBe(409);
  expect(await changeOf(tagId)).toEqual({ description: 'By Ada', name: 'Gale' });
});

it('a new name of the release from an older page leaves its time, and the reverse', async () => {
  const path = `/admin/releases/${releaseId}`;
  const formOfRelease = async () =>
    postForms((await ada.get(path)).text).find(({ fields }) => 'publishAt' in fields)!.fields;
  const send = (fields: Fields, intent: string) => ada.post(path, { ...fields, intent });
  const opened = await formOfRelease();
  expect((await send({ ...opened, publishAt: '2199-05-04T08:00' }, 'schedule')).status).toBe(302);
  expect((await send({ ...opened, name: 'Early spring' }, 'save')).status).toBe(302);
  const renamed = await formOfRelease();
  expect([renamed.name, renamed.publishAt]).toEqual([['Early spring'], ['2199-05-04T08:00']]);
  expect((await send({ ...opened, publishAt: '2199-05-05T08:00' }, 'save')).status).toBe(302);
  const moved = await formOfRelease();
  expect([moved.name, moved.publishAt]).toEqual([['Early spring'], ['2199-05-05T08:00']]);
  // A wrong value comes back with what the page showed at first.
  const wrong = await send({ ...opened, name: '' }, 'save');
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('name="shownPublishAt" value=""');
});

it('of the settings, only those count that both change', async () => {
  const path = '/admin/settings/site';
  const ofBob = await open(bob, path);
  const byAda = { ...(await open(ada, path)), site_title: 'By Ada' };
  expect((await save(ada, path, byAda)).status).toBe(302);
  expect((await save(bob, path, { ...ofBob, site_description: 'By Bob' })).status).toBe(302);
  expect((await save(bob, path, { ...ofBob, site_title: 'By Bob' })).status).toBe(409);
  expect(await changeOf('site_title')).toEqual({ value: 'By Ada' });
  // A form that is sent twice, and a script.
  for (const _time of ['first', 'second']) expect((await save(ada, path, byAda)).status).toBe(302);
  expect((await save(bob, path, { site_title: 'By a script' })).status).toBe(302);
});

it('also when the last change is of the same person, from another tab', async () => {
  const path = inRelease(tag());
  const [first, second] = [await open(ada, path), await open(ada, path)];
  expect((await save(ada, path, { ...first, description: 'In the first tab' })).status).toBe(302);
  expect((await save(ada, path, { ...second, name: 'Gale' })).status).toBe(409);
  expect(await changeOf(tagId)).toEqual({ description: 'In the first tab' });
});

it('a second press replaces only what the conflict was about', async () => {
  const made = await ada.post('/admin/releases/new', { name: 'Autumn' }, { accept: 'application/json' });
  const autumn = made.json<{ id: string }>().id;
  const ofBob = await open(bob, tag());
  expect((await save(ada, tag(), { ...(await open(ada, tag())), description: 'By Ada' })).status).toBe(302);
  const inAutumn = { ...(await open(ada, tag())), description: 'In autumn', releaseId: autumn };
  expect((await ada.post(tag(), inAutumn)).status).toBe(302);
  const refused = await save(bob, tag(), { ...ofBob, description: 'By Bob' });
  expect(refused.status).toBe(409);
  const again = formOf(refused.text);
  expect((await bob.post(tag(), { ...again, releaseId: autumn })).status).toBe(409);
  expect((await save(bob, tag(), again)).status).toBe(302);
  expect(await changeOf(tagId)).toEqual({ description: 'By Bob' });
});

it('what goes back with a rollback is neither removed nor changed by a form', async () => {
  const path = '/admin/settings/site';
  const json = { accept: 'application/json' };
  const act = async (fields: Fields) =>
    (await ada.post(`/admin/releases/${releaseId}`, fields, json)).json<{ id: string }>().id;
  expect((await save(ada, path, { ...(await open(ada, path)), site_title: 'Spring here' })).status).toBe(302);
  await act({ intent: 'publish' });
  releaseId = await act({ intent: 'rollback', rollbackAt: '2199-05-04T08:00' });
  const goesBack = async () => {
    const item = await app.db.releaseItem.findFirstOrThrow({ where: { releaseId, subjectId: 'site_title' } });
    return item.action === 'restore';
  };
  const page = (await ada.get(path)).text;
  expect(page).toContain('Goes back with');
  expect(page).not.toContain(`<option value="${releaseId}"`);
  expect(page).not.toContain(`?release=${releaseId}`);
  const form = await open(ada, inRelease(path));
  expect(form.releaseId).toEqual(['']);
  for (const address of [path, inRelease(path)]) {
    expect((await save(ada, address, form)).status).toBe(302);
    const refused = await save(ada, address, { ...form, site_title: 'Summer here' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('restores an earlier state of this post');
    expect(formOf(refused.text).releaseId).toEqual([releaseId]);
    expect(await goesBack()).toBe(true);
  }
});
