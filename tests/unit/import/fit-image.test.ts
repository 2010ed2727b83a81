import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fitForLibrary } from '#app/import/media/fit-image.server.ts';

test.each([
  ['pixels', 'width="400" height="200"', 800],
  ['points', 'width="300pt" height="150pt"', 600],
  ['centimetres', 'width="10cm" height="5cm"', 2 * Math.round((10 / 2.54) * 72)],
  ['nothing but a view', 'viewBox="0 0 100 50"', 200],
])('a drawing that is measured in %s is drawn twice as large as it says', async (_unit, size, width) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="9" height="9"/></svg>`;
  const drawn = await sharp(await fitForLibrary(Buffer.from(svg), 'a.svg')).metadata();
  expect(drawn.format).toBe('png');
  expect(Math.abs(drawn.width - width)).toBeLessThanOrEqual(width / 50);
});

test('a picture of more than 50 million pixels is scaled down', async () => {
  const create = { width: 9_000, height: 6_000, channels: 3 as const, background: '#258' };
  const large = await sharp({ create, limitInputPixels: false }).jpeg({ quality: 10 }).toBuffer();
  const fitted = await sharp(await fitForLibrary(large, 'a.jpg')).metadata();
  expect(fitted).toMatchObject({ format: 'jpeg', width: 6_000, height: 4_000 });
});

// Five seconds of a core that it has for itself: a busy machine takes longer than other unit tests may.
test('a large picture that would be in memory as a whole is refused, a smaller one is not', async () => {
  const create = { width: 9_000, height: 6_000, channels: 3 as const, background: '#258' };
  const source = () => sharp({ create, limitInputPixels: false });
  const halved = await source().jpeg({ quality: 10, progressive: true }).toBuffer();
  expect(await sharp(await fitForLibrary(halved, 'a.jpg')).metadata()).toMatchObject({ width: 6_000 });
  // Fewer pixels than the library takes: three whole colours of two bytes are 223 MB.
  const full = sharp({ create: { ...create, width: 6_000, height: 6_200 } }).jpeg({
    ...{ quality: 10, progressive: true, chromaSubsampling: '4:4:4' },
  });
  await expect(fitForLibrary(await full.toBuffer(), 'a.jpg')).rejects.toThrow(
    'Save it as an ordinary JPEG or PNG.',
  );
}, 60_000);
