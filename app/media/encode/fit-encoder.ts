import type { Metadata, Sharp } from 'sharp';
import type { ImageFormat } from './image-formats.ts';
import { mediaLimits } from './limits.ts';

/**
 * The largest number of pixels that an encoder takes in about 200 MB. Measured in an import, with 50 million pixels:
 * AVIF 2,100 MB and three minutes, GIF 930 MB, WebP 610 MB and with transparency 930 MB; JPEG and PNG, which are
 * written row by row, 160 and 370 MB.
 */
const encodedPixels: Record<ImageFormat, number> = {
  jpeg: mediaLimits.pixels,
  png: mediaLimits.pixels,
  webp: 10_000_000,
  gif: 12_000_000,
  avif: 4_000_000,
};

/** The format in which a still picture is stored: its own, unless encoding that would take too much memory. */
export function storedFormat(format: ImageFormat, { width, height, hasAlpha }: Metadata): ImageFormat {
  if (width * height <= encodedPixels[format]) return format;
  if (format === 'gif') return 'png';
  return hasAlpha ? 'webp' : 'jpeg';
}

/** Scales a picture down to the limit of its encoder, in either orientation. */
export function fitEncoder(picture: Sharp, format: ImageFormat, { width, height }: Metadata): Sharp {
  const factor = Math.sqrt(encodedPixels[format] / (width * height));
  if (factor >= 1) return picture;
  const side = Math.floor(Math.max(width, height) * factor);
  return picture.resize({ width: side, height: side, fit: 'inside' });
}
