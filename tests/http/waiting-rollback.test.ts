// A rollback that waits for its time: there is one for a release, and its screen shows what will go back by then.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost, createTag } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { openSite } from '#tests/support/site.ts';

const ROLLBACK = { intent: 'rollback', rollbackAt: '2199-05-04T08:00' };
let app: TestApp;
let ada: Client;
let postId: string;
let tagId: string;
let releaseId: string;
let count = 0;

beforeAll(async () => {
  const site = await openSite();
  ({ app } = site);
  ada = (await createPerson(app, site.server, 'administrator')).client;
});
beforeEach(async () => {
  count += 1;
  const fields = { status: 'published', title: 'Quay', excerpt: 'Wharf' } as const;
  postId = (await createPost(app, { ...fields, slug: `post-${count}` })).id;
  tagId = (await createTag(app, { name: `Tag ${count}`, description: 'Pier' })).id;
  releaseId = (await send('releases/new', { name: 'Spring' })).json<{ id: string }>().id;
  await change(`posts/${postId}`, { title: 'Sea', excerpt: 'Lake' }, releaseId);
  await change(`tags/${tagId}`, { description: 'Pond' }, releaseId);
  expect((await send(`releases/${releaseId}`, { intent: 'publish' })).status).toBe(200);
});

const send = (path: string, fields: Fields) =>
  ada.post(`/admin/${path}`, fields, { accept: 'application/json' });

/** Saves the form of a post or tag with other values, in a release or at once. */
async function change(path: string, fields: Fields, inRelease = ''): Promise<void> {
  app.clock.advance(1_000);
  const { text } = await ada.get(`/admin/${path}${inRelease && `?release=${inRelease}`}`);
  const form = postForms(text).find((each) => 'releaseId' in each.fields)!.fields;
  const answer = await ada.post(`/admin/${path}`, {
    ...form,
    ...fields,
    intent: 'save',
    releaseId: inRelease,
  });
  expect(answer.status).toBe(302);
}

it('is refused a second time, until the first one is cancelled', async () => {
  const first = (await send(`releases/${releaseId}`, ROLLBACK)).json<{ id: string }>().id;
  const second = await send(`releases/${releaseId}`, ROLLBACK);
  expect(second.status).toBe(409);
  expect(second.text).toContain('A rollback of this release is scheduled already.');
  expect(await app.db.release.count({ where: { rollbackOfId: releaseId } })).toBe(1);
  expect((await send(`releases/${first}`, { intent: 'unschedule' })).status).toBe(200);
  expect((await send(`releases/${releaseId}`, ROLLBACK)).status).toBe(200);
  const again = { intent: 'schedule', name: 'First', publishAt: ROLLBACK.rollbackAt };
  expect((await send(`releases/${first}`, again)).status).toBe(409);
});

it('shows only what nobody has changed since', async () => {
  const rollbackId = (await send(`releases/${releaseId}`, ROLLBACK)).json<{ id: string }>().id;
  const shown = async () => (await ada.get(`/admin/releases/${rollbackId}`)).text;
  for (const text of ['Quay', 'Wharf', 'Pier']) expect(await shown()).toContain(text);
  await change(`posts/${postId}`, { title: 'Title by hand' });
  await change(`tags/${tagId}`, { description: 'Description by hand' });
  const screen = await shown();
  expect(screen).toContain('Wharf');
  expect(screen).not.toContain('Quay');
  expect(screen).not.toContain('Pier');
});
