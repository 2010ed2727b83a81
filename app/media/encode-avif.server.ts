import sharp from 'sharp';
import { imageFormats } from './image-formats.ts';
import { copyWidths, mediaLimits } from './media-limits.ts';
import type { MediaVariant } from './store-media.server.ts';

/** The widest picture on any page. A wider file has no AVIF copy of its full size. */
const WIDEST = 2_400;
/**
 * Any other copy is narrower than the widest one by this factor: a smaller difference is not worth its time and space.
 */
const STEP = 1.25;

// One thread leaves the cores to others and takes less memory: nobody waits for these copies.
sharp.concurrency(1);

/**
 * The AVIF copies of a stored JPEG picture, narrowest first. The widest has the picture's width, up to the limit above.
 * As good as the other copies, for two thirds of their size (decision 026).
 */
export async function encodeAvifCopies(
  bytes: Buffer,
  { path, width }: { path: string; width: number },
): Promise<(MediaVariant & { content: Buffer })[]> {
  const stem = path.replace(/\.\w+$/, '');
  const copies = [];
  const widest = Math.min(width, WIDEST);
  for (const wanted of [...copyWidths.filter((narrower) => narrower * STEP <= widest), widest]) {
    const { data, info } = await sharp(bytes, { limitInputPixels: mediaLimits.pixels })
      .resize({ width: wanted })
      .avif({ quality: 55, effort: 0, chromaSubsampling: '4:2:0' })
      .toBuffer({ resolveWithObject: true });
    copies.push({
      path: `${stem}-${wanted}.avif`,
      width: info.width,
      height: info.height,
      mimeType: imageFormats.avif.mimeType,
      bytes: data.length,
      content: data,
    });
  }
  return copies;
}
