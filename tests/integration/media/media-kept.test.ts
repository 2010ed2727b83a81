import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { importFrom } from '#app/import/run/import.server.ts';
import { encodeUpload } from '#app/media/encode/image.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { animation, phonePicture, picture } from '#tests/support/images.ts';

const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;
type Format = (typeof formats)[number];
const encodedAs = async (format: Format) =>
  (await encodeUpload(await picture({ format, width: 90, height: 60 }))).image.bytes;

const isKept = async (bytes: Buffer) =>
  (await encodeUpload(bytes, { keepPlain: true })).image.bytes.equals(bytes);

describe('a picture that our encoder wrote', () => {
  test.each(formats)('keeps its bytes when that is wanted: %s', async (format) => {
    const bytes = await encodedAs(format);
    const { image } = await encodeUpload(bytes, { keepPlain: true });
    expect(image.bytes.equals(bytes)).toBe(true);
    expect([image.width, image.height]).toEqual([90, 60]);
  });

  // Some JPEGs can be read without their last two bytes.
  test('keeps its bytes whatever its last bytes are', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const sent = await picture({ width: 40 + seed, height: 30 + (seed % 7), seed });
      expect(await isKept((await encodeUpload(sent)).image.bytes), `picture ${seed}`).toBe(true);
    }
  });

  test('keeps its bytes while other pictures are worked', async () => {
    const { image } = await encodeUpload(await phonePicture());
    const other = await encodedAs('webp');
    let isDone = false;
    const workOthers = async () => {
      while (!isDone) await sharp(other).metadata();
    };
    const others = [workOthers(), workOthers(), workOthers()];
    const kept: boolean[] = [];
    try {
      for (let round = 0; round < 10; round += 1) kept.push(await isKept(image.bytes));
    } finally {
      isDone = true;
      await Promise.all(others);
    }
    expect(kept).not.toContain(false);
  });

  test.each(formats)('does not keep what follows it: %s', async (format) => {
    const bytes = await encodedAs(format);
    for (const more of ['mo', 'more', 'x'.repeat(5_000)])
      expect(await isKept(Buffer.concat([bytes, Buffer.from(more)]))).toBe(false);
  });

  test.each(formats)('is refused when it is not whole: %s', async (format) => {
    const bytes = await encodedAs(format);
    for (const part of [0.1, 0.5, 0.9])
      await expect(
        encodeUpload(bytes.subarray(0, Math.floor(bytes.length * part)), { keepPlain: true }),
      ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test.each(['gif', 'webp'] as const)('keeps its bytes when it moves: %s', async (format) => {
    const moving = await sharp(await animation(5), { animated: true })
      .toFormat(format)
      .toBuffer();
    const { image } = await encodeUpload(moving);
    expect(await isKept(image.bytes)).toBe(true);
    expect(await isKept(Buffer.concat([image.bytes, Buffer.from('more')]))).toBe(false);
  });

  test('keeps an animation that encoding once more would change', async () => {
    const [width, height, frames] = [200, 150, 5];
    const pixels = Buffer.alloc(width * height * frames * 3);
    for (let at = 0; at < pixels.length; at += 1)
      pixels[at] = Math.floor(at / (width * 3)) * 3 + (at % width);
    const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height };
    const moving = await sharp(pixels, { raw }).gif().toBuffer();
    const again = await sharp(moving, { animated: true }).gif().toBuffer();
    expect(again.equals(moving)).toBe(false);
    expect(await isKept(moving)).toBe(true);
    for (const changed of [
      moving.subarray(0, -1),
      withComment(moving),
      Buffer.concat([moving, Buffer.from('x')]),
    ])
      expect(await isKept(changed)).toBe(false);
  });

  test.each(formats)('does not keep metadata in it: %s', async (format) => {
    const withExif = sharp(await encodedAs(format)).withExif({ IFD0: { Copyright: 'Someone' } });
    // GIF has no EXIF; a comment is what it can hide.
    const bytes =
      format === 'gif' ? withComment(await encodedAs('gif')) : await withExif.toFormat(format).toBuffer();
    expect(await isKept(bytes)).toBe(false);
  });

  test('does not keep a part that decoders pass over', async () => {
    const jpeg = await encodedAs('jpeg');
    const hidden = Buffer.concat([Buffer.from([0xff, 0xea, 0x40, 0x02]), Buffer.alloc(0x4000, 'x')]);
    expect(await isKept(Buffer.concat([jpeg.subarray(0, 2), hidden, jpeg.subarray(2)]))).toBe(false);
  });
});

test('an import keeps a plain picture that is named by its content, and cleans every other', async () => {
  const plain = await encodedAs('jpeg');
  const withPlace = await phonePicture();
  const nameOf = (bytes: Buffer) => `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.jpg`;
  const folder = await folderWith({
    'a.md': `---\ndate: 2026-01-01\n---\n![](${nameOf(plain)}) ![](${nameOf(withPlace)}) ![](other.jpg)`,
    [nameOf(plain)]: plain,
    [nameOf(withPlace)]: withPlace,
    'other.jpg': (await encodeUpload(await picture({ seed: 3 }))).image.bytes,
  });
  const app = await createTestApp();
  try {
    await importFrom(app, { from: 'markdown', input: folder, dryRun: false });
    const rows = await app.db.media.findMany();
    const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(rows.find(({ originalName }) => originalName === nameOf(plain))!.sha256).toBe(sha256(plain));
    const cleaned = rows.find(({ originalName }) => originalName === nameOf(withPlace))!;
    const stored = await sharp(`${app.env.uploadsDir}/${cleaned.path}`).metadata();
    expect([stored.exif, stored.width, stored.height]).toEqual([undefined, 800, 1_200]);
  } finally {
    await app.close();
  }
});

function withComment(gif: Buffer): Buffer {
  const comment = Buffer.from([0x21, 0xfe, 4, ...Buffer.from('hide'), 0, 0x3b]);
  return Buffer.concat([gif.subarray(0, -1), comment]);
}
