// Contract, section 8: sounds, films and documents in the library, told by their content, with players and ranges.
import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import type { Client } from '#tests/support/http-client.ts';
import { picture } from '#tests/support/images.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
  reader = server.client();
});

interface Answer {
  media: { id: string; path: string; alt: string; width: number | null; height: number | null }[];
  errors: { name: string; message: string }[];
}

async function upload(...files: [name: string, bytes: Uint8Array][]) {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([new Uint8Array(bytes)]), name);
  form.append('alt', 'Said');
  const answer = await editor.upload('/admin/media', form, { accept: 'application/json' });
  return { status: answer.status, ...answer.json<Answer>() };
}
let seed = 0;
/** A file that begins like this; no two are the same. */
const file = (head: string, bytes = 2_000) =>
  Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes), Buffer.from(String((seed += 1)))]);
const ogg = (codec: string) => `OggS\x00\x02${'\0'.repeat(20)}\x01\x13${codec}`;

it.each([
  ['mp3', 'audio/mpeg', 'ID3\x04\0\0'],
  ['mp3', 'audio/mpeg', '\xff\xfb\x90\x64'],
  ['m4a', 'audio/mp4', '\0\0\0\x20ftypM4A '],
  ['ogg', 'audio/ogg', ogg('\x01vorbis')],
  ['opus', 'audio/ogg', ogg('OpusHead')],
  ['wav', 'audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
  ['flac', 'audio/flac', 'fLaC\0\0\0\x22'],
  ['mp4', 'video/mp4', '\0\0\0\x20ftypisom'],
  ['mov', 'video/quicktime', '\0\0\0\x14ftypqt  '],
  [
    'webm',
    'video/webm',
    '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm',
  ],
  ['pdf', 'application/pdf', '%PDF-1.7\n'],
])('a %s file is stored as %s and served with ranges', async (extension, type, head) => {
  const bytes = file(head);
  const { status, media, errors } = await upload(['whatever.bin', bytes]);
  expect([status, errors]).toEqual([200, []]);
  expect(media[0]).toMatchObject({ alt: 'Said', width: null, height: null });
  const { path } = media[0]!;
  expect(path).toMatch(new RegExp(`^/uploads/\\d{4}/\\d{2}/[0-9a-f]{32}\\.${extension}$`));
  const whole = await reader.get(path);
  expect(whole.body.equals(bytes)).toBe(true);
  expect(whole.headers).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    ...(type === 'application/pdf' && { 'content-disposition': 'attachment' }),
  });
  const part = await reader.get(path, { range: 'bytes=3-9' });
  expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 3-9/${bytes.length}`]);
  expect(part.body.equals(bytes.subarray(3, 10))).toBe(true);
  const outside = await reader.get(path, { range: 'bytes=99999-' });
  expect([outside.status, outside.headers['content-range'], outside.headers['cache-control']]).toEqual([
    ...[416, `bytes */${bytes.length}`, 'no-store'],
  ]);
  expect((await upload(['again.bin', bytes])).media[0]!.path).toBe(path);
  for (const screen of ['/admin/media', `/admin/media/${media[0]!.id}`])
    expect((await editor.get(screen)).text).toContain('whatever.bin');
});

it.each([
  ['song.m4a', 'audio/mp4', '.m4a'],
  ['Book.M4B', 'audio/mp4', '.m4a'],
  ['film.mp4', 'video/mp4', '.mp4'],
])('%s with the brand of a film is stored as %s', async (name, type, ending) => {
  const { media } = await upload([name, file('\0\0\0\x20ftypmp42')]);
  const { path } = media[0]!;
  expect([(await reader.get(path)).headers['content-type'], path.endsWith(ending)]).toEqual([type, true]);
});

it.each([
  ['a page that calls itself a sound', 'song.mp3', '<!doctype html><script>alert(1)</script>'],
  ['a page behind a few bytes', 'film.mp4', '\0\0\0\x20ftypheic<script>'],
  ['a film in Ogg', 'film.ogv', ogg('\x80theora')],
  ['a Matroska film', 'film.webm', '\x1aE\xdf\xa3\x9fB\x82\x88matroska'],
  ['a program', 'setup.pdf', 'MZ\x90\0'],
])('%s is not stored', async (_, name, head) => {
  const before = await app.db.media.count();
  const { status, media, errors } = await upload([name, file(head)]);
  expect([status, media, errors]).toEqual([400, [], [{ name, message: expect.any(String) as string }]]);
  expect(await app.db.media.count()).toBe(before);
});

it('a range outside a file, or a failed condition, is no error of the server', async () => {
  const { media } = await upload(['short.mp3', file('ID3\x04')]);
  const { path } = media[0]!;
  const before = server.stderr();
  expect((await reader.get(path, { range: 'bytes=9-2' })).status).toBe(416);
  const failed = await reader.get(path, { 'if-match': '"other"' });
  expect([failed.status, failed.text, failed.headers.etag]).toEqual([412, '', undefined]);
  expect(server.stderr()).toBe(before);
});

it('the setting limits them; files beside one that is too large are stored', async () => {
  await editor.post('/admin/settings/publishing', { media_max_bytes: '3000000' });
  const good: [string, Uint8Array] = ['good.jpg', await picture({ seed: 7 })];
  const { status, media, errors } = await upload(['long.mp3', file('ID3\x04', 3_000_001)], good, [
    'short.mp3',
    file('ID3\x04'),
  ]);
  expect([status, media.length]).toEqual([200, 2]);
  expect(media[0]).toMatchObject({ width: expect.any(Number) as number });
  expect(errors).toEqual([{ name: 'long.mp3', message: 'The file is too large. The limit is 2 MB.' }]);
  const alone = await upload(['long.mp3', file('ID3\x04', 3_000_001)]);
  expect([alone.status, alone.media]).toEqual([400, []]);
  await editor.post('/admin/settings/publishing', { media_max_bytes: '209715200' });
});

it('a long film costs little memory and plays in a post', async () => {
  const film = file('\0\0\0\x20ftypisom', 120_000_000);
  const { media } = await upload(['film.mp4', film]);
  const { path } = media[0]!;
  const made = await editor.post('/admin/posts/new', {
    title: 'With a film',
    slug: 'film',
    intent: 'publish',
    body: `![Waves](${path})\n\nText.`,
  });
  expect(made.status).toBe(302);
  const { text } = await reader.get('/posts/film');
  expect(text).toContain(`<video src="${path}" aria-label="Waves" controls preload="metadata"></video>`);
  expect((await reader.get('/rss.xml')).text).toContain(path);
  const cover = await editor.post('/admin/posts/new', {
    title: 'A film as a cover',
    coverMediaId: media[0]!.id,
  });
  expect(cover.status).toBe(400);
  const last = await reader.get(path, { range: 'bytes=-1' });
  expect([last.status, last.body.length]).toEqual([206, 1]);
});

it.each([
  [
    'http://127.0.0.1:1/a.png',
    'The picture could not be fetched: its host is in a network that is not public.',
  ],
  ['http://[::1]/a.png', 'The picture could not be fetched: its host is in a network that is not public.'],
  ['quay.jpg', 'That is no address of a picture.'],
])('the server copies no picture from %s, and says why', async (address, message) => {
  const form = new FormData();
  form.append('address', address);
  const answer = await editor.upload('/admin/media', form, { accept: 'application/json' });
  expect([answer.status, answer.json<Answer>()]).toEqual([
    400,
    { media: [], errors: [{ name: '', message }] },
  ]);
  expect((await reader.upload('/admin/media', form, { accept: 'application/json' })).status).toBe(401);
});
