import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { animation, picture, pngClaiming } from '#tests/support/images.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const tooManyPixels = /^The image has too many pixels: at most 50 million/;

describe('the media library refuses, and stores nothing of', () => {
  const jpeg = () => picture({ width: 60, height: 40 });
  const hostile: [string, () => Promise<Buffer> | Buffer, string, RegExp][] = [
    ['an empty file', () => Buffer.alloc(0), 'a.jpg', /empty/],
    ['text', () => Buffer.from('hello'), 'a.jpg', /isn’t supported/],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.svg', /isn’t supported/],
    [
      'SVG named PNG',
      () => Buffer.from('<?xml version="1.0"?><svg onload="x"/>'),
      'a.png',
      /isn’t supported/,
    ],
    ['HTML', () => Buffer.from('<!doctype html><script>1</script>'), 'a.gif', /isn’t supported/],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'), 'a.pdf', /isn’t supported/],
    [
      'a TIFF',
      async () =>
        sharp(await jpeg())
          .tiff()
          .toBuffer(),
      'a.tiff',
      /isn’t supported/,
    ],
    ['an MP4', () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), 'a.mp4', /isn’t supported/],
    [
      'a picture with a page after it',
      async () => Buffer.concat([await jpeg(), Buffer.from('<html ><script>alert(1)</script>')]),
      'a.jpg',
      /not only an image/,
    ],
    [
      'a picture with an archive after it',
      async () => Buffer.concat([await jpeg(), Buffer.from('PK\x05\x06' + '\0'.repeat(18), 'latin1')]),
      'a.jpg',
      /not only an image/,
    ],
    [
      'a script that begins as a GIF',
      () => Buffer.from('GIF89a/*\0\0\0*/=1;document.write("<script src=x></script>")'),
      'a.gif',
      /not only an image/,
    ],
    ['a GIF without content', () => Buffer.from('GIF89a/*\0\0\0*/=1;alert(1)'), 'a.gif', /damaged/],
    ['half a JPEG', async () => (await picture()).subarray(0, 3_000), 'a.jpg', /damaged/],
    ['half a PNG', async () => (await picture({ format: 'png' })).subarray(0, 900), 'a.png', /damaged/],
    ['10,000 x 10,000 pixels', () => pngClaiming(10_000, 10_000), 'a.png', tooManyPixels],
    ['a decompression bomb', () => pngClaiming(60_000, 60_000), 'a.png', tooManyPixels],
    ['an animation with 301 frames', () => animation(301, 8, 8), 'a.gif', /frames/],
    [
      'an animation with 51 million pixels',
      () => animation(51, 1_000, 1_000),
      'a.gif',
      /too large: its frames/,
    ],
    [
      'an animation with 21 million pixels',
      () => animation(21, 1_000, 1_000),
      'a.gif',
      /too large: its frames/,
    ],
    ['too many bytes', () => Buffer.alloc(25 * 1024 * 1024 + 1, 0xff), 'a.jpg', /too large/],
    ['a name with a folder', jpeg, '../../etc/passwd.jpg', /name/],
    ['a name with a backslash', jpeg, '..\\a.jpg', /name/],
    ['a name with NUL', jpeg, 'a.php\0.jpg', /name/],
    ['a name of 300 characters', jpeg, `${'a'.repeat(296)}.jpg`, /name is too long/],
    ['no name', jpeg, ' ', /no name/],
  ];
  it.each(hostile)('%s', async (_what, make, originalName, reason) => {
    const upload = { bytes: await make(), originalName, uploadedById: null };
    await expect(storeMedia(app, upload)).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
      message: expect.stringMatching(reason),
    });
    expect(
      existsSync(app.env.uploadsDir) ? await readdir(app.env.uploadsDir, { recursive: true }) : [],
    ).toEqual([]);
    expect(await app.db.media.count()).toBe(0);
  });
});
