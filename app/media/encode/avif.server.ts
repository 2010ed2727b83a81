import sharp from 'sharp';
import { imageFormats, type MediaVariant } from './formats.ts';
import { copyWidths, mediaLimits } from './limits.ts';

/** The widest picture on any page. A wider file has no AVIF copy of its full size. */
const MAX_WIDTH = 2_400;
/**
 * Any other copy is narrower than the widest one by this factor: a smaller difference is not worth its time and space.
 */
const MIN_RATIO = 1.25;

// One thread leaves the cores to others and takes less memory: nobody waits for these copies.
sharp.concurrency(1);

/**
 * The AVIF copies of a stored JPEG picture, narrowest first. The widest has the picture's width, at most `MAX_WIDTH`.
 * As good as the other copies, for two thirds of their size (decision 026).
 */
export async function encodeAvifCopies(
  bytes: Buffer,
  { path, width }: { path: string; width: number },
): Promise<(MediaVariant & { content: Buffer })[]> {
  const stem = path.replace(/\.\w+$/, '');
  const copies = [];
  const widest = Math.min(width, MAX_WIDTH);
  for (const targetWidth of [...copyWidths.filter((narrower) => narrower * MIN_RATIO <= widest), widest]) {
    const { data, info } = await sharp(bytes, { limitInputPixels: mediaLimits.pixels })
      .resize({ width: targetWidth })
      .avif({ quality: 55, effort: 0, chromaSubsampling: '4:2:0' })
      .toBuffer({ resolveWithObject: true });
    copies.push({
      path: `${stem}-${targetWidth}.avif`,
      width: info.width,
      height: info.height,
      mimeType: imageFormats.avif.mimeType,
      bytes: data.length,
      content: data,
    });
  }
  return copies;
}
