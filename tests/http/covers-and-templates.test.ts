// How a cover is cut, that it is decorative, and posts that begin as a copy of a template: all by forms alone.
import { beforeAll, describe, expect, it } from 'vitest';
import { postFieldNames } from '#app/posts/fields/fields.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import type { TestApp } from '#tests/support/app.ts';
import { createPostByForm } from '#tests/support/backend.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
});

it('the editor of a post with a cover has an input for every field of a post', async () => {
  const { id: coverMediaId } = await createMedia(app);
  const { id } = await createPost(app, { coverMediaId });
  await changeSettings(app, { newsletter_enabled: 'yes' });
  const { text } = await editor.get(`/admin/posts/${id}`);
  expect(postFieldNames.filter((name) => !text.includes(` name="${name}"`))).toEqual([]);
});

const page = async (path: string) => (await server.client().get(path)).text;
const covers = (html: string) => html.match(/<img[^>]*class="cover[^>]*>/g) ?? [];

describe('the cover of a post', () => {
  let id: string;
  let address: string;
  let file: string;
  beforeAll(async () => {
    const media = await createMedia(app, { alt: 'A quay' });
    const cover = { coverMediaId: media.id, coverFocus: '25 100', coverCrop: '16x9' };
    id = await createPostByForm(editor, { title: 'With a cover', ...cover, intent: 'publish' });
    address = `/posts/${(await app.db.post.findUniqueOrThrow({ where: { id } })).slug}`;
    file = `/uploads/${media.path}`;
  });
  async function save(fields: Record<string, string>) {
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
    return editor.post(`/admin/posts/${id}`, { version: String(version), intent: 'save', ...fields });
  }

  it('is cut to its shape around its focal point; the file stays as it is', async () => {
    const [image] = covers(await page(address));
    expect(image).toContain('class="cover focus-x-25 focus-y-100 crop-16x9"');
    expect(image).toMatch(new RegExp(`src="${file}".*alt="A quay"`));
    // Lists have a shape of their own.
    expect(covers(await page('/'))[0]).toContain('class="cover focus-x-25 focus-y-100"');
  });

  it('is fetched first where it is the first of a list, also behind a post without one', async () => {
    const bare = await createPostByForm(editor, { title: 'Without a cover', intent: 'publish' });
    const list = await page('/');
    expect(list.indexOf('Without a cover')).toBeLessThan(list.indexOf('With a cover'));
    expect(covers(list)[0]).toMatch(/^(?!.*loading=).*fetchpriority="high"/);
    await editor.post(`/admin/posts/${bare}`, { version: '1', intent: 'delete' });
  });

  it('can be decorative, and has its description again when it is no more', async () => {
    expect((await save({ coverDecorative: 'yes', coverFocus: '' })).status).toBe(302);
    for (const path of [address, '/']) {
      const [image] = covers(await page(path));
      expect(image).toContain('alt=""');
      expect(image).not.toContain('focus');
    }
    expect((await save({ coverDecorative: '' })).status).toBe(302);
    expect(covers(await page('/'))[0]).toContain('alt="A quay"');
  });

  it('refuses a focal point that cannot be chosen', async () => {
    const wrong = await save({ coverFocus: '10 10' });
    expect([wrong.status, wrong.text.includes('Choose a focal point.')]).toEqual([400, true]);
  });
});

it('archive and search show the smallest copy of a cover, where the lists of the site have pictures', async () => {
  const small = { path: '2026/11/pier-480.webp', width: 480, height: 300, mimeType: 'image/webp', bytes: 9 };
  const variants = JSON.stringify([small]);
  const media = await createMedia(app, { alt: 'A pier', width: 960, height: 600, variants });
  const fields = { title: 'The pier', coverMediaId: media.id, coverFocus: '75 25' };
  await createPostByForm(editor, { ...fields, intent: 'publish' });
  await createPostByForm(editor, { title: 'The pier at night', intent: 'publish' });
  const covers = async (path: string) => {
    const { text } = await server.client().get(path);
    // What is behind the link to the post, up to the next one.
    return text.split('The pier at night').map((part) => /<img[^>]*pier-480[^>]*>/.exec(part)?.[0] ?? null);
  };
  // The index has the posts once the server has written them there.
  await expect.poll(async () => (await server.client().get('/search?q=pier')).text).toContain('at night');
  for (const path of ['/archive', '/search?q=pier']) {
    const found = (await covers(path)).filter((image) => image !== null);
    expect(found, path).toHaveLength(1);
    expect(found[0]).toMatch(
      /class="cover focus-x-75 focus-y-25" src="\/uploads\/2026\/11\/pier-480.webp" alt=""/,
    );
    expect(found[0]).toMatch(/width="\d+" height="\d+" loading="lazy"/);
  }
  await editor.post('/admin/appearance', { list_style: 'compact', intent: 'publish' });
  for (const path of ['/archive', '/search?q=pier'])
    expect((await server.client().get(path)).text, path).not.toContain('pier-480');
});

it('a new post begins as a copy of a template, with the address of its own title', async () => {
  const fields = { title: 'Interview', body: '## Who\n\n## What', template: 'yes', tags: 'Talks' };
  const id = await createPostByForm(editor, fields);
  const { text } = await editor.get('/admin/posts/new');
  expect(text).toMatch(new RegExp(`formAction="/admin/posts/${id}/duplicate"[^>]*>Interview<`, 'i'));
  const made = await editor.post(`/admin/posts/${id}/duplicate`, {});
  expect(made.status).toBe(302);
  const copy = await app.db.post.findUniqueOrThrow({
    where: { id: made.headers.location!.split('/').pop()! },
  });
  expect(copy).toMatchObject({ title: 'Interview', body: fields.body, status: 'draft', template: '' });
  const form = { version: String(copy.version), title: 'Ada speaks', slug: copy.slug, intent: 'autosave' };
  await editor.post(`/admin/posts/${copy.id}`, form);
  expect((await app.db.post.findUniqueOrThrow({ where: { id: copy.id } })).slug).toBe('ada-speaks');
  // A post in the trash is no template.
  const version = String((await app.db.post.findUniqueOrThrow({ where: { id } })).version);
  await editor.post(`/admin/posts/${id}`, { version, intent: 'delete' });
  expect((await editor.get('/admin/posts/new')).text).not.toContain('Begin with a template');
});
