import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { MediaVariant } from '#app/media/encode/formats.ts';
import { isNewMedia, storeMedia } from '#app/media/library/store-media.server.ts';
import { sweepRemovedMedia } from '#app/media/library/sweep.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { animation, phonePicture, picture } from '#tests/support/images.ts';

async function storedFiles(app: TestApp): Promise<string[]> {
  const entries = await readdir(app.env.uploadsDir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

const variantsOf = (row: { variants: string }) => JSON.parse(row.variants) as MediaVariant[];

describeWithApp('media', (getApp) => {
  it('stores a picture with narrower copies under its content hash', async () => {
    const app = getApp();
    const { id } = await createUser(app);
    const bytes = await picture({ width: 1_700, height: 900 });
    const row = await storeMedia(app, { bytes, originalName: 'a cat.JPG', alt: ' A cat ', uploadedById: id });
    expect(row).toMatchObject({ originalName: 'a cat.JPG', alt: 'A cat', uploadedById: id });
    expect(row).toMatchObject({ mimeType: 'image/jpeg', width: 1_700, height: 900 });
    expect(row.path).toBe(`2026/11/${row.sha256.slice(0, 32)}.jpg`);
    expect(variantsOf(row).map(({ width, mimeType }) => [width, mimeType])).toEqual([
      [480, 'image/webp'],
      [960, 'image/jpeg'],
      // A wide copy of a JPEG picture: decision 026.
      [1600, 'image/jpeg'],
    ]);
    for (const { path: file, width, height, bytes } of [{ ...row }, ...variantsOf(row)]) {
      const full = path.join(app.env.uploadsDir, file);
      expect((await stat(full)).size).toBe(bytes);
      expect(await sharp(full).metadata()).toMatchObject({ width, height });
    }
    expect(await storedFiles(app)).toHaveLength(4);
  });

  it('knows the colour that stands in a picture’s place, unless something shows through it', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 900, height: 400, channels: 4, background } })
        .png()
        .toBuffer();
    const upload = async (bytes: Buffer) =>
      storeMedia(getApp(), { originalName: 'a.png', bytes, uploadedById: null });
    const opaque = await sharp(await plain('#2060a0'))
      .removeAlpha()
      .jpeg()
      .toBuffer();
    const { color } = await upload(opaque);
    const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    for (const [index, part] of [0x20, 0x60, 0xa0].entries())
      expect(Math.abs(parts[index]! - part)).toBeLessThan(5);
    expect((await upload(await plain('#2060a080'))).color).toBe('');
    const grey = await sharp(await plain('#808080'))
      .removeAlpha()
      .toColourspace('b-w')
      .png()
      .toBuffer();
    expect((await upload(grey)).color).toMatch(/^#(7f7f7f|808080|818181)$/);
  });

  it('keeps nothing of what a camera wrote, in no stored file, and turns the picture upright', async () => {
    const app = getApp();
    const bytes = await phonePicture();
    const before = await sharp(bytes).metadata();
    expect(before.exif!.toString('latin1')).toContain('Phone maker');
    expect(before.orientation).toBe(6);
    const row = await storeMedia(app, { bytes, originalName: 'IMG_1.jpg', uploadedById: null });
    expect([row.width, row.height]).toEqual([800, 1_200]);
    const files = await storedFiles(app);
    expect(files.length).toBe(2);
    for (const file of files) {
      const { exif, xmp, iptc, orientation } = await sharp(file).metadata();
      expect({ exif, xmp, iptc, orientation }).toEqual({});
      expect((await readFile(file)).toString('latin1')).not.toContain('Phone maker');
    }
  });

  it('stores the same content once, however it is named, and knows its own files', async () => {
    const app = getApp();
    const bytes = await picture();
    const first = await storeMedia(app, { bytes, originalName: 'one.jpg', uploadedById: null });
    const again = await storeMedia(app, { bytes, originalName: 'two.jpg', alt: 'Hills', uploadedById: null });
    expect(again.id).toBe(first.id);
    expect(again.alt).toBe('Hills');
    const own = await readFile(path.join(app.env.uploadsDir, first.path));
    const back = await storeMedia(app, { bytes: own, originalName: 'back.jpg', uploadedById: null });
    expect(back.id).toBe(first.id);
    expect(await app.db.media.count()).toBe(1);
    expect(await storedFiles(app)).toHaveLength(2);
  });

  it('knows a picture that an earlier version has encoded to other bytes', async () => {
    const app = getApp();
    const bytes = await picture();
    const first = await storeMedia(app, { bytes, originalName: 'one.jpg', uploadedById: null });
    const sha256 = '5'.repeat(64);
    await app.db.media.update({ where: { id: first.id }, data: { sha256 } });
    const again = await storeMedia(app, { bytes, originalName: 'two.jpg', uploadedById: null });
    expect(again).toMatchObject({ id: first.id, sha256 });
    expect(await isNewMedia(app, { bytes, originalName: 'two.jpg' })).toBe(false);
    // A file that is to keep its bytes is another picture than one that was encoded.
    expect(await isNewMedia(app, { bytes, originalName: 'two.jpg', keepPlain: true })).toBe(true);
  });

  it('takes a description from a second upload where it had none, and keeps it; readers see no difference', async () => {
    const app = getApp();
    const bytes = await picture();
    const state = { contentVersion: 1, updatedAt: app.clock.now() };
    await app.db.siteState.upsert({ where: { id: 1 }, create: { id: 1, ...state }, update: state });
    const versionAfter = async (alt: string) => {
      await storeMedia(app, { bytes, originalName: 'one.jpg', alt, uploadedById: null });
      return (await app.db.siteState.findFirstOrThrow()).contentVersion;
    };
    expect(await versionAfter('')).toBe(1);
    expect(await versionAfter('Hills')).toBe(1);
    expect(await versionAfter('Dunes')).toBe(1);
    expect(await app.db.media.findMany({ select: { alt: true } })).toEqual([{ alt: 'Hills' }]);
  });

  it('stores the same content once also when it arrives ten times at the same moment', async () => {
    const app = getApp();
    const bytes = await picture({ width: 300, height: 200 });
    const rows = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        storeMedia(app, { bytes, originalName: `${index}.jpg`, uploadedById: null }),
      ),
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    expect(await app.db.media.count()).toBe(1);
    expect(await storedFiles(app)).toHaveLength(1);
  });

  it.each(['png', 'webp', 'gif', 'avif'] as const)('keeps the format of a %s', async (format) => {
    const app = getApp();
    const bytes = await picture({ format, width: 100, height: 50 });
    const row = await storeMedia(app, { bytes, originalName: 'misleading.jpg', uploadedById: null });
    expect(row.mimeType).toBe(`image/${format}`);
    expect(row.path.endsWith(`.${format}`)).toBe(true);
    expect([row.width, row.height]).toEqual([100, 50]);
  });

  it('keeps an animation moving', async () => {
    const app = getApp();
    const bytes = await animation(6, 500, 20);
    const row = await storeMedia(app, { bytes, originalName: 'spin.gif', uploadedById: null });
    expect([row.width, row.height]).toEqual([500, 20]);
    for (const file of [row.path, ...variantsOf(row).map(({ path }) => path)])
      expect((await sharp(path.join(app.env.uploadsDir, file)).metadata()).pages).toBe(6);
    expect(variantsOf(row)).toMatchObject([{ width: 480 }]);
  });

  it('leaves nothing behind when the database refuses the row', async () => {
    const app = getApp();
    const bytes = await picture();
    const broken = {
      ...app,
      db: new Proxy(app.db, {
        get: (target, name) =>
          name === '$transaction' ? () => Promise.reject(new Error('no')) : Reflect.get(target, name),
      }),
    };
    await expect(storeMedia(broken, { bytes, originalName: 'a.jpg', uploadedById: null })).rejects.toThrow(
      'no',
    );
    expect(await storedFiles(app)).toEqual([]);
    expect(await app.db.media.count()).toBe(0);
  });

  it('takes back a deletion of the same content that is still waiting', async () => {
    const app = getApp();
    const bytes = await picture();
    const first = await storeMedia(app, { bytes, originalName: 'a.jpg', uploadedById: null });
    await app.db.media.delete({ where: { id: first.id } });
    const removeAfter = app.clock.now();
    const paths = [first.path, ...variantsOf(first).map(({ path }) => path)];
    await app.db.mediaRemoval.createMany({ data: paths.map((file) => ({ path: file, removeAfter })) });
    await storeMedia(app, { bytes, originalName: 'a.jpg', uploadedById: null });
    expect(await app.db.mediaRemoval.count()).toBe(0);
  });

  it('a folder that the sweep cannot read is an error, and one that is not there is empty', async () => {
    const app = getApp();
    expect(await sweepRemovedMedia(app)).toEqual({ removedFileCount: 0 });
    await writeFile(app.env.uploadsDir, 'a file where a folder belongs');
    await expect(sweepRemovedMedia(app)).rejects.toThrow('ENOTDIR');
  });

  it('lets a camera append what it wants, and stores none of it', async () => {
    const app = getApp();
    const bytes = Buffer.concat([await picture(), Buffer.from('\0\0\0\x18ftypmp42 motion photo', 'latin1')]);
    const row = await storeMedia(app, { bytes, originalName: 'motion.jpg', uploadedById: null });
    const stored = await readFile(path.join(app.env.uploadsDir, row.path));
    expect(stored.toString('latin1')).not.toContain('motion photo');
  });

  it('does not follow a name that is taken by something else', async () => {
    const app = getApp();
    const bytes = await picture({ width: 60, height: 40 });
    const row = await storeMedia(app, { bytes, originalName: 'a.jpg', uploadedById: null });
    await app.db.media.deleteMany();
    const full = path.join(app.env.uploadsDir, row.path);
    await writeFile(full, 'half of it');
    await storeMedia(app, { bytes, originalName: 'a.jpg', uploadedById: null });
    expect((await stat(full)).size).toBe(row.bytes);
  });
});
