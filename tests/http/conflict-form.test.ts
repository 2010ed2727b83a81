// The 409 page of a post without scripts: what its form sends means what the refused form meant.
import { v7 as newUuid } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Fields } from '#tests/support/http-client.ts';
import { createPerson, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let administrator: Person;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  administrator = await createPerson(app, server, 'administrator');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });

/** Sends a form from before somebody else's save, and then that of the conflict as it is. */
async function saveInSpite(id: string, fields: Fields): Promise<void> {
  const { client } = administrator;
  const path = `/admin/posts/${id}`;
  const other = { excerpt: 'By somebody else', version: '1', intent: 'save' };
  expect((await client.post(path, other)).status).toBe(302);
  const refused = await client.post(path, { version: '1', intent: 'save', ...fields });
  expect(refused.status).toBe(409);
  const form = postForms(refused.text).find(({ fields }) => 'version' in fields)!;
  expect((await client.post(path, { ...form.fields, intent: 'save' })).status).toBe(302);
}

it('is saved to the release for which the form was, not to the public post', async () => {
  const { id } = await createPost(app, { status: 'published', title: 'Live title' });
  const release = await createRelease(app, { name: 'Spring', step: 'save', by: byCommand });
  await saveInSpite(id, { title: 'Embargoed title', releaseId: release.id });
  expect((await rowOf(id)).title).toBe('Live title');
  const item = await app.db.releaseItem.findFirstOrThrow({ where: { releaseId: release.id } });
  expect(JSON.stringify(item.fields)).toContain('Embargoed title');
});

it('keeps the second of two equal local times', async () => {
  await administrator.client.post('/admin/settings/site', { site_timezone: 'Europe/Berlin' });
  const { id } = await createPost(app, { title: 'At night' });
  await saveInSpite(id, {
    title: 'Late at night',
    publishedAt: '2027-10-31T02:30',
    publishedAtOccurrence: 'second',
    archiveAt: '2028-10-29T02:30',
    archiveAtOccurrence: 'second',
  });
  expect(await rowOf(id)).toMatchObject({
    title: 'Late at night',
    publishedAt: new Date('2027-10-31T01:30:00Z'),
    archiveAt: new Date('2028-10-29T01:30:00Z'),
  });
});

it('keeps the second of two equal local times of a scheduled update', async () => {
  const { client } = administrator;
  const { id } = await createPost(app, { status: 'published', title: 'Live' });
  const path = `/admin/posts/${id}`;
  await client.post(path, { excerpt: 'By somebody else', version: '1', intent: 'save' });
  const late = { changeAt: '2027-10-31T02:30', changeAtOccurrence: 'second' };
  const refused = await client.post(path, { version: '1', intent: 'prepare', title: 'Later', ...late });
  const form = postForms(refused.text).find(({ fields }) => 'version' in fields)!;
  expect((await client.post(path, { ...form.fields, intent: 'prepare' })).status).toBe(302);
  const update = await app.db.scheduledUpdate.findUniqueOrThrow({ where: { postId: id } });
  expect(update.dueAt).toEqual(new Date('2027-10-31T01:30:00Z'));
});

it('a copy of an older version whose form leaves the slug out has the slug of that version', async () => {
  const { client } = administrator;
  const id = newUuid();
  const autosave = (path: string, fields: Fields) =>
    client.post(`/admin/posts/${path}`, { intent: 'autosave', ...fields }, { accept: 'application/json' });
  await autosave('new', { id, title: 'High tide' });
  await autosave(id, { version: '1', title: 'Low tide' });
  expect((await rowOf(id)).slug).toBe('low-tide');
  expect((await autosave(id, { version: '1', body: 'Mine' })).status).toBe(409);
  const copy = await app.db.revision.findFirstOrThrow({ where: { postId: id, kind: 'autosave' } });
  expect(JSON.parse(copy.fields)).toMatchObject({ body: 'Mine', slug: 'high-tide' });
});
