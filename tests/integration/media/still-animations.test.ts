// Animations of which only the first picture can be read: the loss is said, not silent.
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { importFrom } from '#app/import/run/import.server.ts';
import { STILL_MESSAGE } from '#app/media/encode/formats.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { animatedPng, animation, picture } from '#tests/support/images.ts';

const files = {
  'an animated PNG': async () => animatedPng(3),
  'a sequence of AVIF': async () => {
    const bytes = await picture({ format: 'avif', width: 40, height: 30, seed: 3 });
    bytes.write('avis', 16, 'latin1');
    return bytes;
  },
};

it.each(Object.entries(files))(
  '%s is stored as its first picture, and the answer says so',
  async (_, make) => {
    const app = await createTestApp();
    const upload = { bytes: await make(), originalName: 'anim', uploadedById: null };
    expect((await storeMedia(app, upload)).isStill).toBe(true);
    expect((await storeMedia(app, upload)).isStill).toBe(true);
    await app.close();
  },
);

it('a PNG of one frame is no animation; GIF and WebP keep moving', async () => {
  const app = await createTestApp();
  const gif = await animation(3);
  const webp = await sharp(gif, { animated: true }).webp().toBuffer();
  for (const bytes of [await animatedPng(1), await picture({ format: 'png' }), gif, webp])
    expect(await storeMedia(app, { bytes, originalName: 'x', uploadedById: null })).not.toHaveProperty(
      'isStill',
    );
  const moving = await app.db.media.findMany({ where: { mimeType: { in: ['image/gif', 'image/webp'] } } });
  for (const { path } of moving) {
    const stored = await sharp(`${app.env.uploadsDir}/${path}`, { animated: true }).metadata();
    expect(stored.pages).toBe(3);
  }
  expect(moving).toHaveLength(2);
  await app.close();
});

it('an import names the pictures that stand still', async () => {
  const app = await createTestApp();
  const input = await folderWith({ 'a.md': '![x](anim.png)\n', 'anim.png': await animatedPng(2) });
  const { result } = await importFrom(app, { from: 'markdown', input, dryRun: false });
  expect(JSON.stringify(result.warnings)).toContain(STILL_MESSAGE);
  await app.close();
});
