import sharp, { type Metadata } from 'sharp';
import { expect, test } from 'vitest';
import { fitEncoder, storedFormat } from '#app/media/encode/image.server.ts';
import { encodeUpload } from '#app/media/encode/image.server.ts';

const metadata = (width: number, height: number, hasAlpha: boolean) =>
  ({ width, height, hasAlpha }) as Metadata;

test.each([
  ['avif', 2_000, 2_000, false, 'avif'],
  ['avif', 2_001, 2_000, false, 'jpeg'],
  ['avif', 8_000, 6_000, true, 'webp'],
  ['webp', 4_000, 2_500, false, 'webp'],
  ['webp', 4_001, 2_500, false, 'jpeg'],
  ['webp', 8_000, 6_000, true, 'webp'],
  ['gif', 4_000, 3_000, true, 'gif'],
  ['gif', 8_000, 6_000, true, 'png'],
  ['png', 8_000, 6_000, true, 'png'],
  ['jpeg', 8_000, 6_000, false, 'jpeg'],
] as const)(
  'a picture in %s of %d x %d (alpha %s) is stored as %s',
  (format, width, height, alpha, stored) => {
    expect(storedFormat(format, metadata(width, height, alpha))).toBe(stored);
  },
);

test('a picture is scaled down to what its encoder takes, also one that lies on its side', async () => {
  const picture = sharp({ create: { width: 40, height: 90, channels: 4, background: '#2588' } });
  const scaled = fitEncoder(picture, 'webp', metadata(9_000, 4_000, true));
  // The longer side of 10 million pixels at 9 to 4.
  const { info } = await scaled.raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ height: 4_743 });
});

test('a GIF that is too large for its encoder is stored as a PNG of the same size', async () => {
  const create = { width: 4_000, height: 3_010, channels: 3 as const, background: '#258' };
  const gif = await sharp({ create }).gif({ effort: 1 }).toBuffer();
  const { image, copies } = await encodeUpload(gif, { keepPlain: true });
  expect(image).toMatchObject({ format: 'png', width: 4_000, height: 3_010 });
  expect(copies.map(({ width }) => width)).toEqual([480, 960, 1_600]);
});
