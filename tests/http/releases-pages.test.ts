// The screen of a release with hundreds of changes: pages of them, and what blocks the release named on each.
import { beforeAll, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { ITEMS_MAX } from '#app/releases/release.ts';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

const POSTS = 120;
const A_PAGE = 25;
const LAST = 5;

let app: TestApp;
let editor: Client;
let releaseId: string;
let address: string;
const postIds: string[] = [];

beforeAll(async () => {
  ({ app, editor } = await openSite());
  ({ id: releaseId } = await createRelease(app, { name: 'Large', step: 'save', by: byCommand }));
  address = `/admin/releases/${releaseId}`;
  for (let index = 1; index <= POSTS; index += 1)
    postIds.push((await createPost(app, { title: `Change no ${index}.` })).id);
  await addPostsToRelease(app, { releaseId, postIds, editorId: null });
});

async function screen(query = '') {
  const { status, text } = await editor.get(address + query);
  expect(status).toBe(200);
  const shown = text.replaceAll('<!-- -->', '');
  const list = shown.slice(shown.indexOf('class="release-items"'), shown.indexOf('id="add-posts"'));
  const numbers = [...list.matchAll(/<h2><a[^>]*>Change no (\d+)\.</g)].map(([, number]) => Number(number));
  return { shown, list, numbers };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

it('shows a page of the changes, says how many there are, and links to all pages', async () => {
  const first = await screen();
  expect(first.numbers).toEqual(range(1, A_PAGE));
  expect(first.list).toContain(`Changes 1 to ${A_PAGE} of ${POSTS}`);
  for (const page of range(1, LAST)) expect(first.list).toContain(`href="?page=${page}"`);
  expect((await screen(`?page=${LAST}`)).numbers).toEqual(range(101, POSTS));
  // What is not a page is the first or the last one.
  for (const query of ['?page=0', '?page=x']) expect((await screen(query)).numbers).toEqual(range(1, A_PAGE));
  expect((await screen('?page=99')).numbers).toEqual(range(101, POSTS));
});

it('the change whose differences are asked for is on the page that is shown', async () => {
  const item = await app.db.releaseItem.findFirstOrThrow({ where: { releaseId, subjectId: postIds[70] } });
  expect((await screen(`?show=${item.id}`)).numbers).toContain(71);
});

it('names on each page what blocks the release or deserves a look on another one', async () => {
  await app.db.post.update({
    where: { id: postIds[110] },
    data: { bodyHtml: '<p><a href="/nowhere">x</a></p>' },
  });
  const { id: otherId } = await createRelease(app, { name: 'Other', step: 'save', by: byCommand });
  await addPostsToRelease(app, { releaseId: otherId, postIds: [postIds[60]!], editorId: null });
  await app.db.post.update({ where: { id: postIds[115] }, data: { status: 'trashed' } });
  const blocked = await app.db.releaseItem.findFirstOrThrow({
    where: { releaseId, subjectId: postIds[115] },
  });

  const { shown, list } = await screen();
  expect(shown).toContain('On other pages (3)');
  expect(list).toContain(`href="?page=${LAST}#item-${blocked.id}"`);
  expect(list).toContain('“Change no 116.” is in the trash.');
  expect(list).toContain('Links to pages that readers can’t see then: /nowhere');
  expect(list).toMatch(/Also in <a href="[^"]+">Other<\/a>/);
  // What blocks it comes first.
  expect(list.indexOf('Change no 116')).toBeLessThan(list.indexOf('Change no 61'));
  expect((await screen(`?page=${LAST}`)).shown).toContain('On other pages (1)');
});

it('a change that is removed on a page leads back to that page', async () => {
  const answer = await editor.post(`${address}?page=${LAST}`, { remove: postIds[119]!, intent: 'save' });
  expect([answer.status, answer.headers.location]).toEqual([302, `${address}?page=${LAST}&done=save`]);
  expect((await editor.get(answer.headers.location!)).text).toMatch(/role="status"[^>]*>Saved\./);
  expect((await screen(`?page=${LAST}`)).list).toContain(`of ${POSTS - 1}`);
});

it('removes more changes at once than one statement takes, and only these', async () => {
  const present = await app.db.releaseItem.findMany({ where: { releaseId }, select: { subjectId: true } });
  const kept = postIds[10]!;
  const remove = present.map(({ subjectId }) => subjectId).filter((id) => id !== kept);
  expect(remove.length).toBeGreaterThan(100);
  expect((await editor.post(address, { remove, intent: 'save' })).status).toBe(302);
  expect((await screen()).numbers).toEqual([11]);
});

it('a form that a release has no room for leaves neither a release nor a post', async () => {
  const post = await createPost(app);
  const ids = Array.from({ length: ITEMS_MAX + 1 }, () => crypto.randomUUID());
  await app.db.post.createMany({ data: ids.map((id) => ({ ...post, id, slug: id })) });
  const send = async (path: string, fields: Fields) => {
    const answer = await editor.post(`/admin/${path}`, fields, { accept: 'application/json' });
    return { status: answer.status, body: answer.json<{ id: string; errors: object }>() };
  };
  const refused = { status: 400, body: { errors: { '': 'A release holds at most 1000 changes.' } } };
  const publishAt = toLocalTime(new Date(Date.now() + 3_600_000), 'UTC');
  const tooMany = { name: 'Too many', publishAt, intent: 'schedule', add: ids.join(',') };
  expect(await send('releases/new', tooMany)).toMatchObject(refused);
  expect(await app.db.release.count({ where: { name: 'Too many' } })).toBe(0);
  const full = await send('releases/new', { name: 'Full', add: ids.slice(1).join(',') });
  expect(full.status).toBe(200);
  const draft = { title: 'One more', releaseId: full.body.id };
  expect(await send('posts/new', draft)).toMatchObject(refused);
  expect(await app.db.post.count({ where: { title: 'One more' } })).toBe(0);
});
