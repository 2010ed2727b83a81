// The calendar without scripts: a month shows the first posts of each day, the list of a day shows all of them.
import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost, createPosts } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

const POSTS = 53;

let app: TestApp;
let editor: Client;

beforeAll(async () => {
  ({ app, editor } = await openSite());
});

/** The posts that a page has a form for. */
const movableOn = (html: string) => postForms(html).flatMap(({ fields }) => fields.postId ?? []);

/** A page with its posts, and the link with these words. */
async function open(address: string, words = '') {
  const { status, text } = await editor.get(address);
  expect(status).toBe(200);
  const link = new RegExp(`<a [^>]*href="([^"]+)"[^>]*>${words}</a>`).exec(text);
  return { text, posts: movableOn(text), link: link?.[1]!.replaceAll('&amp;', '&') };
}

it('a day of many posts leads to a list of all, in pages, from which each can be moved', async () => {
  const day = `${new Date().getUTCFullYear() + 1}-05-04`;
  const publishedAt = new Date(`${day}T10:00Z`);
  const ids = await createPosts(app, POSTS, { status: 'scheduled', publishedAt });
  const month = await open(`/admin/calendar?month=${day.slice(0, 7)}`, `${POSTS - 5} more`);
  expect(month.posts).toHaveLength(5);
  const first = await open(month.link!, 'Next page');
  expect(first.text).not.toContain('First page');
  const second = await open(first.link!, 'First page');
  expect([...first.posts, ...second.posts]).toEqual(ids.sort());
  expect(second.link).toBe(month.link);

  const postId = second.posts.at(-1)!;
  const move = { intent: 'move', postId, version: '1', publishedAt: `${day}T09:00` };
  const moved = await editor.post(first.link!, move);
  expect(moved.status).toBe(302);
  expect(moved.headers.location).toContain(`/admin/calendar?day=${day}&undo=`);
  expect((await open(month.link!)).posts[0]).toBe(postId);
  // A failure is shown at the post, on the page that it was sent from.
  const refused = await editor.post(month.link!, { ...move, publishedAt: 'soon' });
  expect(refused.status).toBe(400);
  expect(movableOn(refused.text)).toHaveLength(first.posts.length);
});

it('a moved post keeps what its editor has typed and not saved', async () => {
  const publishedAt = new Date(`${new Date().getUTCFullYear() + 1}-06-01T10:00Z`);
  const { id, version } = await createPost(app, { status: 'scheduled', publishedAt, body: 'Old.' });
  const typed = { intent: 'autosave', version: String(version), body: 'Typed.' };
  const accept = 'application/json';
  expect((await editor.post(`/admin/posts/${id}`, typed, { accept })).json()).toMatchObject({
    saved: 'copy',
  });
  const time = `${publishedAt.getUTCFullYear()}-06-02T10:00`;
  const move = { intent: 'move', postId: id, version: String(version), publishedAt: time };
  expect((await editor.post('/admin/calendar', move)).status).toBe(302);
  const { text } = await editor.get(`/admin/posts/${id}`);
  const [restore] = /\?with=[\w-]+/.exec(text)!;
  expect((await editor.get(`/admin/posts/${id}${restore}`)).text).toContain('Typed.');
});

it('a day that is none is the month', async () => {
  for (const day of ['2027-02-30', 'tomorrow', ''])
    expect((await open(`/admin/calendar?day=${day}`)).text).toContain('class="weekdays"');
  expect((await open('/admin/calendar?day=2027-02-28&after=%5B%5D')).text).toContain(
    'Nothing is scheduled or published on this day.',
  );
});
