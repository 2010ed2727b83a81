// Unsaved changes that were typed for a release stay with it: the editor of the public post names them, and restores
// them only on the page that saves to the release.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let editor: Client;
let id: string;
let releaseId: string;

beforeAll(async () => {
  ({ app, editor } = await openSite());
});
beforeEach(async () => {
  ({ id } = await createPost(app, { status: 'published', title: 'Tides', body: 'Public' }));
  releaseId = (await send('releases/new', { name: 'Spring' })).id;
});

async function send(path: string, fields: Fields) {
  const answer = await editor.post(`/admin/${path}`, fields, { accept: 'application/json' });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ id: string; savedAt: string }>();
}
const page = async (query = '') => (await editor.get(`/admin/posts/${id}${query}`)).text;
const formOf = (html: string) => postForms(html).find(({ fields }) => 'body' in fields)!.fields;
const restoreLinks = (html: string) =>
  [...html.matchAll(/href="(\?[^"]*with=[^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));
const rowOf = () => app.db.post.findUniqueOrThrow({ where: { id } });
const itemOf = () => app.db.releaseItem.findFirst({ where: { releaseId, subjectId: id } });
const copies = (kind: string) =>
  app.db.revision.findMany({ where: { postId: id, kind }, orderBy: { createdAt: 'asc' } });
const type = (fields: Fields, body: string) => send(`posts/${id}`, { ...fields, intent: 'autosave', body });

/** Types on the page of the release, and leaves it. */
async function typeForRelease(): Promise<void> {
  await type(formOf(await page(`?release=${releaseId}`)), 'Under embargo');
}

it('the editor of the public post links to them on the page of the release, whose “Update” keeps them there', async () => {
  await typeForRelease();
  const live = await page();
  expect(live.replaceAll('<!-- -->', '')).toContain('You have unsaved changes for the release “Spring”');
  expect(formOf(live).body).toEqual(['Public']);
  const [link, ...others] = restoreLinks(live);
  expect([link, others]).toEqual([expect.stringContaining(`release=${releaseId}`), []]);
  const restored = formOf(await page(link));
  expect([restored.body, restored.releaseId]).toEqual([['Under embargo'], [releaseId]]);
  await send(`posts/${id}`, { ...restored, intent: 'save' });
  expect((await rowOf()).body).toBe('Public');
  expect((await itemOf())?.fields).toContain('Under embargo');
  expect(await copies('autosave')).toEqual([]);
});

it('an address without the release shows them with it all the same', async () => {
  await typeForRelease();
  const [copy] = await copies('autosave');
  expect(formOf(await page(`?with=${copy!.id}`)).releaseId).toEqual([releaseId]);
});

it('a save or a change of state of the public post leaves them out, and they stay', async () => {
  await typeForRelease();
  await send(`posts/${id}`, { ...formOf(await page()), intent: 'save', excerpt: 'Short' });
  await send(`posts/${id}`, { ...formOf(await page()), intent: 'archive' });
  expect(await rowOf()).toMatchObject({ body: 'Public', status: 'archived' });
  expect(await copies('autosave')).toMatchObject([{ releaseId, fields: expect.stringContaining('embargo') }]);
});

it('those of the public post and those of the release are apart', async () => {
  await typeForRelease();
  await type(formOf(await page()), 'For today');
  expect((await copies('autosave')).map(({ releaseId: of }) => of)).toEqual([releaseId, null]);
  expect(await copies('conflict')).toEqual([]);
  const shown = await page(`?release=${releaseId}`);
  expect(shown.replaceAll('<!-- -->', '')).toContain('unsaved changes in the post without a release');
  expect(restoreLinks(shown).filter((link) => !link.includes('release='))).toHaveLength(1);
  await send(`posts/${id}`, { ...formOf(shown), intent: 'save', body: 'Saved to the release' });
  expect(await copies('autosave')).toMatchObject([{ releaseId: null }]);
});

it('a release that is chosen while somebody types takes along what was typed before', async () => {
  const fields = formOf(await page());
  const { savedAt } = await type(fields, 'Begun');
  await type({ ...fields, autosavedAt: savedAt, releaseId }, 'Begun for the release');
  expect(await copies('autosave')).toMatchObject([{ releaseId }]);
  expect(restoreLinks(await page())).toEqual([expect.stringContaining(`release=${releaseId}`)]);
});

it('after the publication of the release they belong to the post; after its deletion they say what they were', async () => {
  await typeForRelease();
  await send(`releases/${releaseId}`, { intent: 'publish', confirmed: 'yes' });
  expect(await page()).toMatch(/You have unsaved changes from/);
  const [of] = restoreLinks(await page());
  expect(of).not.toContain('release=');

  releaseId = (await send('releases/new', { name: 'Never' })).id;
  await typeForRelease();
  await send(`releases/${releaseId}`, { intent: 'delete' });
  expect(await page()).toContain('You have unsaved changes for a release that was deleted');
  await send(`posts/${id}`, { ...formOf(await page()), intent: 'save', excerpt: 'Short' });
  expect(await page()).not.toContain('You have unsaved changes');
  expect((await copies('conflict')).map(({ releaseId: of }) => of)).toContain(releaseId);
});

it('a text that was kept for a release opens with it from the list of revisions', async () => {
  await send(`posts/${id}`, { intent: 'save', version: '1', body: 'Kept', releaseId });
  const [kept] = await copies('prepare');
  const opened = formOf(await page(`?with=${kept!.id}`));
  expect([opened.body, opened.releaseId]).toEqual([['Kept'], [releaseId]]);
});

it('of two tabs without unsaved changes, the second one that types does not replace what the first one typed', async () => {
  const [first, second] = [formOf(await page()), formOf(await page())];
  await type(first, 'In the first tab');
  await type(second, 'In the second tab');
  expect(await copies('autosave')).toMatchObject([{ fields: expect.stringContaining('second tab') }]);
  expect(await copies('conflict')).toMatchObject([{ fields: expect.stringContaining('first tab') }]);
});

it('the form of the public text does not offer the rollback with which the post goes back', async () => {
  await send(`posts/${id}`, { ...formOf(await page(`?release=${releaseId}`)), intent: 'save', body: 'New' });
  await send(`releases/${releaseId}`, { intent: 'publish' });
  const rollbackAt = '2199-05-04T08:00';
  const rollback = await send(`releases/${releaseId}`, { intent: 'rollback', rollbackAt });
  expect(await page()).toContain('Goes back with');
  expect(await page()).not.toContain(`<option value="${rollback.id}"`);
});

it('the form of the public text does not offer a release that has a text of the post already', async () => {
  const option = `<option value="${releaseId}"`;
  const form = formOf(await page(`?release=${releaseId}`));
  expect(await page()).toContain(option);
  await send(`posts/${id}`, { ...form, intent: 'save', body: 'Under embargo' });
  expect(await page()).not.toContain(option);
  expect(await page(`?release=${releaseId}`)).toContain(option);
});
