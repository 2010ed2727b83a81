// Pictures of 2 megapixels for the bench of imports: each a cut of one large picture, so that no two are the same.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { seededRandom } from './random-posts.ts';

const PICTURE = { width: 1_632, height: 1_224 };
const LARGE = { width: 2_400, height: 1_800 };

export type PictureKind = 'photographs' | 'noise';

/** Writes posts with a picture each, as a folder of Markdown has them. */
export async function writePicturePosts(folder: string, kind: PictureKind, count: number): Promise<void> {
  const random = seededRandom(19);
  const data = await (kind === 'noise' ? noise(random, 1.2) : photograph(random));
  for (let number = 1; number <= count; number += 1) {
    const left = Math.floor(random() * (LARGE.width - PICTURE.width));
    const top = Math.floor(random() * (LARGE.height - PICTURE.height));
    const picture = sharp(data, { raw: { ...LARGE, channels: 3 } }).extract({ left, top, ...PICTURE });
    await writeFile(path.join(folder, `${number}.jpg`), await picture.jpeg({ quality: 80 }).toBuffer());
    const post = `---\ntitle: Post ${number}\ndate: 2024-03-01\n---\n\nText.\n\n![A picture](${number}.jpg)\n`;
    await writeFile(path.join(folder, `${number}.md`), post);
  }
}

/** Independent pixels, a little blurred: compresses as badly as pictures do. */
function noise(random: () => number, blur: number): Promise<Buffer> {
  const bytes = Buffer.alloc(LARGE.width * LARGE.height * 3).map(() => random() * 256);
  return sharp(bytes, { raw: { ...LARGE, channels: 3 } })
    .blur(blur)
    .raw()
    .toBuffer();
}

/** Large and small soft shapes with hard edges and fine grain. */
async function photograph(random: () => number): Promise<Buffer> {
  const layers: [Buffer, number][] = [];
  for (const [scale, weight] of [
    [160, 0.9],
    [32, 0.4],
    [6, 0.35],
    [1, 0.2],
  ] as const) {
    const [width, height] = [LARGE.width / scale, LARGE.height / scale].map(Math.floor) as [number, number];
    const bytes = Buffer.alloc(width * height * 3).map(() => random() * 256);
    const layer = sharp(bytes, { raw: { width, height, channels: 3 } }).resize({ ...LARGE, fit: 'fill' });
    layers.push([await layer.blur(0.8).raw().toBuffer(), weight]);
  }
  const mixed = layers[0]![0].map((_, index) => {
    const value = layers.reduce((sum, [bytes, weight]) => sum + (bytes[index]! - 128) * weight, 128);
    return Math.max(0, Math.min(255, value));
  });
  return sharp(mixed, { raw: { ...LARGE, channels: 3 } })
    .composite([{ input: Buffer.from(shapes(random)) }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

function shapes(random: () => number): string {
  const upTo = (most: number) => Math.floor(random() * most);
  const shape = () =>
    `<ellipse cx="${upTo(LARGE.width)}" cy="${upTo(LARGE.height)}" rx="${upTo(250)}" ry="${upTo(200)}"` +
    ` fill="rgb(${upTo(256)},${upTo(256)},${upTo(256)})" opacity="0.4"/>`;
  const { width, height } = LARGE;
  const all = Array.from({ length: 80 }, shape).join('');
  return `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">${all}</svg>`;
}
