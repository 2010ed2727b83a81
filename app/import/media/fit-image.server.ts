import { stat } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import { formatOf } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { invalidInput } from '#app/platform/errors.ts';

const SVG_MAX_BYTES = 4 * 1024 * 1024;
const SVG_MAX_WIDTH = 2_000;
/** Pixels of all frames of an animation that is shrunk: memory holds all of them, at 4 bytes a pixel. */
const ANIMATION_MAX_PIXELS = 100_000_000;
/** Pixels of a still picture, which is scaled down strip by strip. */
const STILL_MAX_PIXELS = 400_000_000;
/** Memory for decoding a still picture, such as an AVIF photo of 12 million pixels. An import stays below 400 MB. */
const DECODED_MAX_BYTES = 220_000_000;
/** Pixels of all frames of a picture that is small: two of them are encoded at the same time. */
const SMALL_PIXELS = 4_000_000;
const SMALL_BYTES = 2 * 1024 * 1024;
/** Pixels of a still picture after it was scaled down. */
const SCALED_PIXELS = 24_000_000;

/** Decides by the name: SVG files do not begin with the same bytes. */
export function isSvgFile(file: string): boolean {
  return /\.svg$/i.test(file);
}

/**
 * Converts a source's image for the library: an SVG is drawn as PNG, an animation that is too large is scaled down.
 * Any other is returned unchanged.
 * @throws AppError `invalid_input` with the reason why it cannot be stored.
 */
export async function fitForLibrary(bytes: Buffer, file: string): Promise<Buffer> {
  const metadata = await checkImage(bytes, file);
  if (isSvgFile(file)) return drawSvg(bytes, metadata);
  if (framePixels(metadata) > mediaLimits.pixels) return scaledDown(bytes, metadata);
  const pixels = framePixels(metadata) * (metadata.pages ?? 1);
  if ((metadata.pages ?? 1) === 1 || pixels <= mediaLimits.animationPixels) return bytes;
  const factor = Math.sqrt(mediaLimits.animationPixels / pixels);
  // Rounded down, so that the product stays below the limit.
  const width = Math.floor(metadata.width * factor) - 1;
  const scaled = sharp(bytes, { animated: true, limitInputPixels: ANIMATION_MAX_PIXELS }).resize({ width });
  // The library encodes the result again, and chooses the colours of a GIF then: as good, in half the time.
  return (metadata.format === 'gif' ? scaled.gif({ effort: 1, dither: 0 }) : scaled).toBuffer();
}

/**
 * The size of a GIF that would be refused although browsers show it: too many bytes, frames or pixels to be encoded
 * again. Null for every other file.
 */
export async function sizeOfLargeGif(
  file: string,
  { head, bytes }: { head: Buffer; bytes: number },
): Promise<{ width: number; height: number } | null> {
  if (formatOf(head) !== 'gif') return null;
  try {
    const metadata = await sharp(file, { animated: true, limitInputPixels: false }).metadata();
    const isTooLarge = isTooLargeAnimation(metadata) || decodedBytes(metadata) > DECODED_MAX_BYTES;
    if (bytes <= mediaLimits.fileBytes && !isTooLarge) return null;
    return { width: metadata.width, height: metadata.pageHeight ?? metadata.height };
  } catch {
    return null; // The check of the picture reports the damage.
  }
}

/** True for a picture that takes so little memory that another one can be encoded at the same time. */
export async function isSmallPicture(file: string): Promise<boolean> {
  try {
    if ((await stat(file)).size > SMALL_BYTES) return false;
    const metadata = await sharp(file, { animated: true, limitInputPixels: false }).metadata();
    // An SVG is drawn at up to twice its size.
    const drawn = isSvgFile(file) ? 4 : 1;
    return framePixels(metadata) * (metadata.pages ?? 1) * drawn <= SMALL_PIXELS;
  } catch {
    return false; // Whoever stores it reports the reason.
  }
}

function isTooLargeAnimation(metadata: Metadata): boolean {
  const frames = metadata.pages ?? 1;
  return frames > mediaLimits.frames || framePixels(metadata) * frames > ANIMATION_MAX_PIXELS;
}

/**
 * An image's properties, read without decoding it.
 * @throws AppError `invalid_input` with the reason why it cannot be stored.
 */
export async function checkImage(bytes: Buffer, file: string): Promise<Metadata> {
  if (isSvgFile(file) && bytes.length > SVG_MAX_BYTES)
    throw invalidInput('The SVG is too large: at most 4 MB.');
  if (!isSvgFile(file) && formatOf(bytes) === null)
    throw invalidInput('This is not an image that can be stored.');
  const metadata = await sharp(bytes, { animated: true, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw invalidInput('The image is damaged.');
    });
  const frames = metadata.pages ?? 1;
  const isStill = frames === 1 && !isSvgFile(file);
  const maxPixels = isStill ? STILL_MAX_PIXELS : mediaLimits.pixels;
  if (framePixels(metadata) > maxPixels)
    throw invalidInput(`The image has too many pixels: at most ${maxPixels / 1e6} million.`);
  if (isStill && decodedBytes(metadata) > DECODED_MAX_BYTES)
    throw invalidInput(
      'The image has too many pixels for a progressive JPEG, an interlaced PNG, WebP, GIF or AVIF. Save it as an ordinary JPEG or PNG.',
    );
  if (isTooLargeAnimation(metadata))
    throw invalidInput(`The animation is too large: at most ${mediaLimits.frames} frames.`);
  return metadata;
}

/** Bytes of memory that a decoder needs for a pixel, copies included: measured with 50 million pixels. */
const bytesPerPixel: Partial<Record<string, number>> = { heif: 18, webp: 7.7, gif: 5.3 };

/** Bytes of a decoded picture that are in memory at the same time; 0 for a picture that is read row by row. */
function decodedBytes(metadata: Metadata): number {
  const { format, isProgressive, chromaSubsampling, channels, depth } = metadata;
  if (!isProgressive && (format === 'jpeg' || format === 'png')) return 0;
  // A decoded progressive JPEG consists of coefficients of two bytes. Colours may have fewer of them than brightness.
  const isHalved = format === 'jpeg' && /^4:(?:2:0|1:1)$/.test(chromaSubsampling ?? '');
  const samples = isHalved ? 1.5 : channels;
  const bytes = format === 'jpeg' || depth === 'ushort' ? 2 : 1;
  return framePixels(metadata) * (bytesPerPixel[format] ?? samples * bytes);
}

// Reads from top to bottom, so that memory holds only the rows for one row of the result. With optimised Huffman
// tables, memory would hold the whole JPEG: 240 MB instead of 100, measured.
async function scaledDown(bytes: Buffer, { width, height, format }: Metadata): Promise<Buffer> {
  const factor = Math.sqrt(SCALED_PIXELS / (width * height));
  try {
    const scaled = sharp(bytes, { sequentialRead: true, limitInputPixels: STILL_MAX_PIXELS })
      .resize({ width: Math.max(1, Math.floor(width * factor)) })
      .keepExif();
    // The library encodes the result again.
    return await (
      format === 'jpeg' ? scaled.jpeg({ quality: 92, optimizeCoding: false }) : scaled
    ).toBuffer();
  } catch (error) {
    throw invalidInput('The image is damaged.', error);
  }
}

// The library stores no SVG, since an SVG can run scripts. The renderer runs nothing and opens no other file. The
// result has twice the stated size, so that it stays sharp.
async function drawSvg(bytes: Buffer, { width }: Metadata): Promise<Buffer> {
  const scale = Math.min(2, Math.max(1, SVG_MAX_WIDTH / width));
  try {
    const density = await densityFor(bytes, { targetWidth: width * scale, scale });
    return await sharp(bytes, { density, limitInputPixels: mediaLimits.pixels }).png().toBuffer();
  } catch (error) {
    throw invalidInput('The SVG cannot be drawn.', error);
  }
}

const SVG_DENSITY = 72;

// For a drawing with a size in centimetres or points, the density counts twice (measured: four times as many pixels as
// intended each way, and twenty times the time).
async function densityFor(
  bytes: Buffer,
  { targetWidth, scale }: { targetWidth: number; scale: number },
): Promise<number> {
  const { width } = await sharp(bytes, { density: SVG_DENSITY * scale, limitInputPixels: false }).metadata();
  return SVG_DENSITY * (width > targetWidth * 1.1 ? Math.sqrt(scale) : scale);
}

function framePixels({ width, height, pageHeight }: Metadata): number {
  return width * (pageHeight ?? height);
}
