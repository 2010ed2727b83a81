import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { hasForeignContent } from './foreign-content.server.ts';
import { holdsOnlyFrames } from './gif-blocks.ts';
import { formatOf, type ImageFormat } from './image-formats.ts';
import { copyWidths, mediaLimits } from './media-limits.ts';

// Pictures do not repeat, and the cache of libvips takes up to 50 MB.
sharp.cache(false);

export interface EncodedImage {
  bytes: Buffer;
  width: number;
  /** Of one frame. */
  height: number;
}

export interface EncodedCopy extends EncodedImage {
  format: ImageFormat;
}

/** An upload rewritten: the image in its own format and narrower copies. */
export interface EncodedUpload {
  format: ImageFormat;
  image: EncodedImage;
  copies: EncodedCopy[];
  /** `#rrggbb`, what is in its place until it comes; blank where something shows through the picture. */
  color: string;
}

/**
 * Decodes an image and encodes it again, upright and without any metadata, so that nothing of the sent
 * file's own bytes (EXIF, GPS, hidden data) is stored.
 * @param options.keepPlain keeps the bytes of an image that holds nothing else: encoding it again would blur it
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
    throw refused(
      'This file cannot be stored. Send an image (JPEG, PNG, WebP, GIF or AVIF), audio, a video (MP4 or WebM) or a PDF.',
    );
  if (hasForeignContent(bytes)) throw refused('The file is not only an image. Export it again as an image.');
  try {
    const metadata = await inspect(bytes, format);
    // Encoded in any case: that decodes every pixel, so a damaged file is found.
    const encoded = await encode(bytes, metadata, (pipeline) => inFormat(pipeline, format));
    const isKept = options.keepPlain === true && (await holdsOnlyPicture(bytes, encoded.bytes, metadata));
    const copies = isAnimated(metadata)
      ? await animatedCopies(bytes, metadata, encoded)
      : await copiesOf(bytes, encoded, format);
    const color = metadata.hasAlpha ? '' : await meanColor(copies[0]?.bytes ?? encoded.bytes);
    return { format, image: isKept ? { ...encoded, bytes } : encoded, copies, color };
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
  finish: (pipeline: Sharp) => Sharp,
): Promise<EncodedImage> {
  const animated = isAnimated(metadata);
  const pipeline = sharp(bytes, { ...reading, animated });
  // Animations are not rotated: cameras do not write any.
  const upright = animated ? pipeline : pipeline.autoOrient();
  const { data, info } = await finish(upright).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

function isAnimated({ pages }: Metadata): boolean {
  return (pages ?? 1) > 1;
}

/** A kept file may be larger than our encoding of it by this factor: encoding once more changes the size a little. */
const MOST_GROWTH = 1.25;

/**
 * True when a file holds its picture and nothing else that could say something about people: no metadata, nothing
 * after the end, no large part that the decoder passes over.
 */
async function holdsOnlyPicture(bytes: Buffer, encoded: Buffer, metadata: Metadata): Promise<boolean> {
  // Encoding a lossless picture of our own encoder again gives the same bytes.
  if (bytes.equals(encoded)) return true;
  if (metadata.format === 'png') return false;
  const { exif, icc, iptc, xmp, tifftagPhotoshop, comments } = metadata;
  if ([exif, icc, iptc, xmp, tifftagPhotoshop, comments].some((part) => part !== undefined)) return false;
  if (bytes.length > MOST_GROWTH * encoded.length) return false;
  // Its decoder reads a GIF without its end too.
  if (metadata.format === 'gif') return holdsOnlyFrames(bytes);
  // Without its last two bytes a file cannot be read, unless they are not the picture's.
  const shorter = sharp(bytes.subarray(0, -2), { ...reading, animated: isAnimated(metadata) });
  return shorter.stats().then(
    () => false,
    () => true,
  );
}

function inFormat(pipeline: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'jpeg':
      // Progressive takes twice as long for files that are 2 to 5 % smaller, own Huffman tables take 1.7 times as
      // long for 3 %, and pages mostly show the copies.
      return pipeline.jpeg({ quality: 86, optimizeCoding: false });
    case 'png':
      // Level 9 takes three times as long for files that are 6 % smaller (103 pictures of a blog).
      return pipeline.png({ compressionLevel: 6 });
    case 'webp':
      return pipeline.webp({ quality: 86 });
    case 'gif':
      return pipeline.gif();
    case 'avif':
      return pipeline.avif({ quality: 60 });
  }
}

/**
 * A wide copy of a JPEG picture is JPEG, which takes a third of the time of WebP and looks as good at its size. Narrow
 * ones, where WebP looks better, are WebP. Of photographs effort 2 takes 1.7 times as long for files that are 3 % smaller
 * (8 % larger where there is much noise) and as good; of screenshots it saves a tenth. See decision 026.
 */
function copyFormat(format: ImageFormat, width: number): 'jpeg' | 'webp' {
  return format === 'jpeg' && width >= 1_600 ? 'jpeg' : 'webp';
}

function asCopy(pipeline: Sharp, format: ImageFormat, width: number): Sharp {
  if (copyFormat(format, width) === 'jpeg') return pipeline.jpeg({ quality: 70 });
  return pipeline.webp(format === 'jpeg' ? { quality: 79, effort: 0 } : { quality: 80, effort: 2 });
}

/** The narrower copies of a still image, all made from the widest of them: the image is decoded once. */
async function copiesOf(bytes: Buffer, image: EncodedImage, format: ImageFormat): Promise<EncodedCopy[]> {
  const copies: EncodedCopy[] = [];
  let source = () => sharp(bytes, reading).autoOrient();
  for (const width of copyWidths.filter((width) => width < image.width).reverse()) {
    const height = Math.max(1, Math.round((image.height * width) / image.width));
    let copy = source().resize({ width, height, fit: 'fill' });
    if (copies.length === 0) {
      const { data, info } = await copy.raw().toBuffer({ resolveWithObject: true });
      const raw = { width, height, channels: info.channels };
      // Not one pipeline and its clone: cloning copies all pixels.
      source = () => sharp(data, { raw });
      copy = source();
    }
    const encoded = await asCopy(copy, format, width).toBuffer();
    copies.unshift({ bytes: encoded, width, height, format: copyFormat(format, width) });
  }
  return copies;
}

async function animatedCopies(
  bytes: Buffer,
  metadata: Metadata,
  image: EncodedImage,
): Promise<EncodedCopy[]> {
  const copies: EncodedCopy[] = [];
  for (const width of copyWidths.filter((width) => width < image.width)) {
    // Effort 1 halves the time of an animation and costs a few percent of its size.
    const narrow = (pipeline: Sharp) => pipeline.resize({ width }).webp({ quality: 80, effort: 1 });
    copies.push({ ...(await encode(bytes, metadata, narrow)), format: 'webp' });
  }
  return copies;
}

/** The mean of a picture, made from its smallest copy: that takes a millisecond. */
async function meanColor(bytes: Buffer): Promise<string> {
  const [red = 0, green = red, blue = red] = await sharp(bytes)
    .toColourspace('srgb')
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer();
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('invalid_input', message, { cause });
}
