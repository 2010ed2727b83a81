import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { hasForeignContent } from './foreign-content.server.ts';
import { formatOf, type ImageFormat } from './image-formats.ts';
import { copyWidths, mediaLimits } from './media-limits.ts';
import { isPlainPicture } from './plain-picture.ts';

export interface EncodedImage {
  bytes: Buffer;
  width: number;
  /** Of one frame. */
  height: number;
}

/** An upload written anew: the image in its own format and narrower WebP copies. */
export interface EncodedUpload {
  format: ImageFormat;
  image: EncodedImage;
  copies: EncodedImage[];
}

/**
 * Decodes an image and encodes it anew, upright and without any metadata, so that nothing of the sent
 * file's own bytes (EXIF, GPS, hidden data) is stored.
 * @param options.keepPlain leaves an image as it is that holds nothing else already: encoding it once more
 *   would only blur it
 * @throws AppError `invalid_input` with the reason why the file is refused.
 */
export async function encodeUpload(
  bytes: Buffer,
  options: { keepPlain?: boolean } = {},
): Promise<EncodedUpload> {
  if (bytes.length === 0) throw refused('The file is empty.');
  if (bytes.length > mediaLimits.fileBytes)
    throw refused(`The file is too large: at most ${mediaLimits.fileBytes / 1024 / 1024} MB.`);
  const format = formatOf(bytes);
  if (!format)
    throw refused('This is not an image that can be stored. Send a JPEG, PNG, WebP, GIF or AVIF file.');
  if (hasForeignContent(bytes)) throw refused('The file is not only an image. Export it again as an image.');
  try {
    const metadata = await inspect(bytes, format);
    const encoded = await encode(bytes, metadata, (pipeline) => inFormat(pipeline, format));
    // Encoded in any case: that decodes every pixel, so a damaged file is found.
    const isKept = options.keepPlain === true && isPlainPicture(bytes, format);
    const image = isKept ? { ...encoded, bytes } : encoded;
    const copies: EncodedImage[] = [];
    for (const width of copyWidths.filter((width) => width < image.width))
      copies.push(await encode(bytes, metadata, (pipeline, isAnimated) => copy(pipeline, width, isAnimated)));
    return { format, image, copies };
  } catch (error) {
    if (isAppError(error)) throw error;
    throw refused(`The image is damaged or not complete (${messageOf(error)}).`, error);
  }
}

// `failOn: 'error'` refuses truncated files too, but lets the harmless oddities of cameras pass.
const reading = { failOn: 'error', limitInputPixels: mediaLimits.pixels } as const;

async function inspect(bytes: Buffer, format: ImageFormat): Promise<Metadata> {
  const metadata = await sharp(bytes, { ...reading, animated: true }).metadata();
  const found = metadata.format === 'heif' ? 'avif' : metadata.format;
  if (found !== format) throw refused('The file is not the image that its first bytes claim.');
  const frames = metadata.pages ?? 1;
  const height = metadata.pageHeight ?? metadata.height;
  const pixels = metadata.width * height;
  if (pixels > mediaLimits.pixels)
    throw refused(`The image has too many pixels: at most ${mediaLimits.pixels / 1e6} million.`);
  if (frames > mediaLimits.frames)
    throw refused(`The animation has too many frames: at most ${mediaLimits.frames}.`);
  if (frames > 1 && pixels * frames > mediaLimits.animationPixels)
    throw refused(
      `The animation is too large: its frames have at most ${mediaLimits.animationPixels / 1e6} million pixels together.`,
    );
  return metadata;
}

async function encode(
  bytes: Buffer,
  metadata: Metadata,
  finish: (pipeline: Sharp, isAnimated: boolean) => Sharp,
): Promise<EncodedImage> {
  const isAnimated = (metadata.pages ?? 1) > 1;
  const pipeline = sharp(bytes, { ...reading, animated: isAnimated });
  // Frames cannot be turned; no format with frames is turned by cameras either.
  const upright = isAnimated ? pipeline : pipeline.autoOrient();
  const { data, info } = await finish(upright, isAnimated).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

function inFormat(pipeline: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return pipeline.jpeg({ quality: 86, progressive: true });
    case 'png':
      return pipeline.png({ compressionLevel: 9 });
    case 'webp':
      return pipeline.webp({ quality: 86 });
    case 'gif':
      return pipeline.gif();
    case 'avif':
      return pipeline.avif({ quality: 60 });
  }
}

function copy(pipeline: Sharp, width: number, isAnimated: boolean): Sharp {
  // Effort 1 halves the time of an animation and costs a few percent of its size.
  return pipeline.resize({ width }).webp({ quality: 80, effort: isAnimated ? 1 : 4 });
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('invalid_input', message, { cause });
}
