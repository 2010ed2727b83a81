// The media library over HTTP: what people send is stored whole and clean, what attackers send not at all.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createMedia, createPost, createPosts } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { animatedPng, phonePicture, picture, pngClaiming } from '#tests/support/images.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let editorId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  ({ client: editor, id: editorId } = await createPerson(app, server, 'editor'));
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

type Sent = [name: string, bytes: Buffer];

/** A form as it goes over the wire; the names go out exactly as they are given. */
function formOf(files: Sent[], texts: Record<string, string> = {}) {
  const boundary = '----dateline-test';
  const head = (disposition: string, type = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`);
  const end = Buffer.from('\r\n');
  const parts = [
    ...Object.entries(texts).flatMap(([name, text]) => [head(`name="${name}"`), Buffer.from(text), end]),
    ...files.flatMap(([name, bytes]) => [
      head(`name="file"; filename="${name}"`, 'Content-Type: image/jpeg\r\n'),
      bytes,
      end,
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

function send(to: string, files: Sent[], texts?: Record<string, string>, accept?: string) {
  const { type, body } = formOf(files, texts);
  return editor.send('POST', to, { 'content-type': type, ...(accept && { accept }) }, body);
}

const storedFiles = async () =>
  existsSync(app.env.uploadsDir)
    ? (await readdir(app.env.uploadsDir, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => path.join(entry.parentPath, entry.name))
        .sort()
    : [];
const latest = () => app.db.media.findFirstOrThrow({ orderBy: { id: 'desc' } });

describe('what people send', () => {
  it('an animation of which only the first picture is stored, with a note', async () => {
    const note = 'Only the first picture of this animation is stored.';
    const files: Sent[] = [['anim.png', await animatedPng(3)]];
    const { status, headers } = await send('/admin/media', files);
    expect([status, headers.location]).toEqual([302, '/admin/media?stored=1&still']);
    expect((await editor.get('/admin/media?stored=1&still')).text).toContain(note);
    expect((await editor.get('/admin/media?stored=1')).text).not.toContain(note);
    const answer = (await send('/admin/media', files, {}, 'application/json')).json<object>();
    expect(answer).toMatchObject({
      media: [{}],
      errors: [],
      warnings: [{ name: 'anim.png', message: expect.stringContaining(note) as string }],
    });
    await app.db.media.deleteMany();
  });

  it('several files at once, with a description, cleaned and in every width', async () => {
    const files: Sent[] = [
      ['harbour.jpg', await phonePicture()],
      ['quay.png', await picture({ format: 'png', seed: 2 })],
    ];
    const { status, headers } = await send('/admin/media', files, { alt: 'The morning' });
    expect([status, headers.location]).toEqual([302, '/admin/media?stored=2']);
    const rows = await app.db.media.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map(({ originalName, alt }) => [originalName, alt])).toEqual([
      ['harbour.jpg', 'The morning'],
      ['quay.png', 'The morning'],
    ]);
    // Lying on its side in the camera, upright here.
    expect([rows[0]!.width, rows[0]!.height]).toEqual([800, 1_200]);
    const copies = JSON.parse(rows[0]!.variants) as { path: string; width: number; mimeType: string }[];
    expect(copies.map(({ width }) => width)).toContain(480);
    expect(copies.some(({ mimeType }) => mimeType === 'image/webp')).toBe(true);
    for (const { path } of [rows[0]!, ...copies]) {
      expect(path).toMatch(/^\d{4}\/\d{2}\/[0-9a-f]{16,}[\w.-]*\.(jpg|jpeg|webp)$/);
      const { status, headers, body } = await server.client().get(`/uploads/${path}`);
      expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
      expect((await sharp(body).metadata()).exif).toBeUndefined();
      expect(body.includes('GPS') || body.includes('Phone maker')).toBe(false);
    }
    for (const file of await storedFiles())
      expect((await readFile(file)).includes('Phone maker')).toBe(false);
  });

  it('one that many posts use says so with the newest of them', async () => {
    const { id, path } = await createMedia(app, { path: '2026/11/everywhere.png' });
    await createPosts(app, 101, { body: `![](/uploads/${path})`, authorId: editorId });
    const { text } = await editor.get(`/admin/media/${id}`);
    expect(text.match(/<li><a href="\/admin\/posts\//g)).toHaveLength(100);
    expect(text).toContain('More posts use this file than are listed here.');
    expect((await editor.post(`/admin/media/${id}`, { alt: 'Everywhere' })).status).toBe(302);
    const refused = await editor.post(`/admin/media/${id}`, { intent: 'delete' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Posts use this file')]);
    await app.db.post.deleteMany({ where: { body: { contains: path } } });
  });

  it('the good ones of several are stored, the others named with the reason', async () => {
    const before = await app.db.media.count();
    const files: Sent[] = [
      ['good.jpg', await picture({ seed: 3 })],
      ['notes.txt', Buffer.from('only text')],
    ];
    const { status, text } = await send('/admin/media', files);
    expect([status, text]).toEqual([400, expect.stringContaining('notes.txt: ')]);
    expect(await app.db.media.count()).toBe(before + 1);
  });

  it('a description can be changed', async () => {
    await send('/admin/media', [['described.jpg', await picture({ seed: 4 })]]);
    const { id } = await latest();
    const changed = await editor.post(`/admin/media/${id}`, { intent: 'save', alt: 'Two “boats” & a dog' });
    expect(changed.status).toBe(302);
    expect((await latest()).alt).toBe('Two “boats” & a dog');
  });

  it('a new description is on the pages of categories at once', async () => {
    const { id, path } = await createMedia(app, { alt: 'Old words' });
    const category = await createCategory(app, { slug: 'pictured', picture: `/uploads/${path}` });
    await createPost(app, { status: 'published', publishedAt: new Date(), categoryId: category.id });
    const shown = async () => (await server.client().get('/categories/pictured')).text;
    expect(await shown()).toContain('Old words');
    await editor.post(`/admin/media/${id}`, { intent: 'save', alt: 'New words' });
    expect(await shown()).toContain('New words');
  });

  describe('a file in use', () => {
    let page: string;
    let path: string;
    let post: { id: string; slug: string };
    beforeAll(async () => {
      await send('/admin/media', [['used.jpg', await picture({ seed: 14 })]]);
      const media = await latest();
      [page, path] = [`/admin/media/${media.id}`, media.path];
      const fields = { title: 'With a picture', body: `![Boats](/uploads/${path})` };
      post = await createPost(app, { ...fields, status: 'published', authorId: editorId });
    });

    it('says where, and cannot be deleted', async () => {
      expect((await editor.get(page)).text).toContain('With a picture');
      const { status, text } = await editor.post(page, { intent: 'delete' });
      expect([status, text]).toEqual([400, expect.stringContaining('With a picture')]);
      expect(existsSync(`${app.env.uploadsDir}/${path}`)).toBe(true);
    });

    it('can be replaced, which changes the post', async () => {
      const replaced = await send(page, [['better.jpg', await picture({ seed: 5 })]]);
      expect(replaced.status).toBe(302);
      expect((await editor.get(replaced.headers.location!)).text).toContain('better.jpg');
      const { body } = await app.db.post.findUniqueOrThrow({ where: { id: post.id } });
      expect(body).toMatch(/^!\[Boats\]\(\/uploads\/\d{4}\/\d{2}\/[0-9a-f]+/);
      expect(body).not.toContain(path);
      expect((await server.client().get(`/posts/${post.slug}`)).text).not.toContain(path);
    });

    it('can be deleted once its post is, and is served no more; its bytes stay', async () => {
      const { version } = await app.db.post.findUniqueOrThrow({ where: { id: post.id } });
      await editor.post(`/admin/posts/${post.id}`, { version: String(version), intent: 'delete' });
      const row = await latest();
      expect((await editor.post(`/admin/media/${row.id}`, { intent: 'delete' })).status).toBe(302);
      const { trashedAt } = await app.db.media.findUniqueOrThrow({ where: { id: row.id } });
      expect(trashedAt).toBeInstanceOf(Date);
      expect((await server.client().get(`/uploads/${row.path}`)).status).toBe(404);
      expect(existsSync(`${app.env.uploadsDir}/${row.path}`)).toBe(true);
    });
  });
});

describe('what attackers send is 400 with a reason, and nothing is stored', () => {
  const jpeg = () => picture({ width: 60, height: 40, seed: 9 });
  const hostile: [what: string, name: string, make: () => Promise<Buffer> | Buffer, reason: RegExp][] = [
    ['no bytes', 'a.jpg', () => Buffer.alloc(0), /empty/],
    ['SVG', 'a.svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /isn’t supported/],
    [
      'SVG named JPEG',
      'a.jpg',
      () => Buffer.from('<?xml version="1.0"?><svg onload="x"/>'),
      /isn’t supported/,
    ],
    ['HTML', 'a.jpg', () => Buffer.from('<!doctype html><script>1</script>'), /isn’t supported/],
    ['a script that begins as a GIF', 'a.gif', () => Buffer.from('GIF89a/*\0\0\0*/=1;alert(1)'), /damaged/],
    [
      'a picture with a page after it',
      'a.jpg',
      async () => Buffer.concat([await jpeg(), Buffer.from('<html><script>alert(1)</script>')]),
      /not only an image/,
    ],
    ['half a JPEG', 'a.jpg', async () => (await picture()).subarray(0, 3_000), /damaged/],
    ['10,000 x 10,000 pixels', 'a.png', () => pngClaiming(10_000, 10_000), /pixel/],
    ['a decompression bomb', 'a.png', () => pngClaiming(60_000, 60_000), /pixel/],
    ['a name that climbs', '../../../etc/passwd.jpg', jpeg, /name/],
    ['a name with a backslash', '..\\\\..\\\\a.jpg', jpeg, /name/],
    ['a name with NUL', 'a.php\0.jpg', jpeg, /name/],
    ['a name of 300 characters', `${'a'.repeat(296)}.jpg`, jpeg, /name is too long/],
  ];
  it.each(hostile)('%s', async (_what, name, make, reason) => {
    const bytes = await make();
    const before = [await storedFiles(), await app.db.media.count()];
    const page = await send('/admin/media', [[name, bytes]]);
    expect(page.status).toBe(400);
    expect(page.text).toMatch(reason);
    expect(page.text).toContain('id="field-file-error"');
    const script = await send('/admin/media', [[name, bytes]], {}, 'application/json');
    expect(script.status).toBe(400);
    expect(script.json<{ errors: { message: string }[] }>().errors[0]!.message).toMatch(reason);
    expect([await storedFiles(), await app.db.media.count()]).toEqual(before);
  });

  it('the same in the place of a file that is there', async () => {
    await send('/admin/media', [['kept.jpg', await picture({ seed: 6 })]]);
    const kept = await latest();
    const files = await storedFiles();
    for (const [, name, make, reason] of hostile.slice(0, 4)) {
      const { status, text } = await send(`/admin/media/${kept.id}`, [[name, await make()]]);
      expect([status, text]).toEqual([400, expect.stringMatching(reason)]);
    }
    expect(await latest()).toEqual(kept);
    expect(await storedFiles()).toEqual(files);
  });

  it('more files than a form may have, and a form that breaks off', async () => {
    const before = [await storedFiles(), await app.db.media.count()];
    const small = await jpeg();
    const many = Array.from({ length: 21 }, (_one, index): Sent => [`${index}.jpg`, small]);
    expect((await send('/admin/media', many)).status).toBe(400);
    const { type, body } = formOf([['a.jpg', small]]);
    const half = body.subarray(0, body.length - 200);
    expect((await editor.send('POST', '/admin/media', { 'content-type': type }, half)).status).toBe(400);
    expect([await storedFiles(), await app.db.media.count()]).toEqual(before);
  });
});

it('several files go to the trash at once; those in use stay, named with the reason', async () => {
  const [used, free] = [await createMedia(app), await createMedia(app)];
  await createPost(app, { title: 'Uses one', coverMediaId: used.id });
  const page = await editor.get('/admin/media');
  const answer = await editor.post('/admin/media', {
    pageUser: editorId,
    intent: 'delete',
    ids: [used.id, free.id],
  });
  expect([page.status, answer.status]).toEqual([200, 400]);
  expect(answer.text).toContain(used.originalName);
  expect(answer.text).toContain('Uses one');
  const left = await app.db.media.findMany({
    where: { id: { in: [used.id, free.id] }, trashedAt: null },
    select: { id: true },
  });
  expect(left).toEqual([{ id: used.id }]);
  // A contributor may not touch what others have uploaded.
  const { client, id } = await createPerson(app, server, 'contributor');
  const refused = await client.post('/admin/media', { pageUser: id, intent: 'delete', ids: [used.id] });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Someone else uploaded this file.');
});
