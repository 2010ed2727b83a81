import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { say, type Message } from '#app/platform/message.ts';
import { formatOf, type ImageFormat } from './formats.ts';
import { copyWidths, mediaLimits } from './limits.ts';

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];

/** True when a GIF consists of frames, their times and how often they repeat, with no other block and nothing after its end. */
function holdsOnlyFrames(bytes: Buffer): boolean {
  let at = 13 + paletteBytes(bytes[10]);
  // The position after the last part of a block. Each part begins with its length.
  const endOfParts = (start: number) => {
    let end = start;
    while ((bytes[end] ?? 0) > 0) end += bytes[end]! + 1;
    return end + 1;
  };
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === TRAILER) return at === bytes.length - 1;
    if (kind === IMAGE) at = endOfParts(at + 11 + paletteBytes(bytes[at + 9]));
    else if (kind === EXTENSION && isOfFrames(bytes, at)) at = endOfParts(at + 2);
    else return false;
  }
  return false;
}

function isOfFrames(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1];
  const name = bytes.toString('latin1', at + 3, at + 14);
  return label === GRAPHIC_CONTROL || (label === APPLICATION && /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(name));
}

function paletteBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

// Long enough that compressed image data does not contain them by chance (below 1 in 100,000 for 25 MB).
const activeContent =
  /<script|<html[\s>]|<!doctype|<\?php\s|<iframe|%PDF-\d|xmlns="http:\/\/www\.w3\.org\/2000\/svg"/i;

// A ZIP, and so a JAR or an Office file, is found from its end: the record is in the last 64 KB.
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_TAIL_BYTES = 66_000;

/**
 * True when an image is also a page, a PDF or an archive (a polyglot). Encoding removes the foreign part anyway; the
 * upload is rejected because such a file is hostile. Trailing data of cameras (gain maps, motion photos) is allowed.
 */
function hasForeignContent(bytes: Buffer): boolean {
  return activeContent.test(bytes.toString('latin1')) || bytes.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END);
}

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

// Pictures do not repeat, and the cache of libvips takes up to 50 MB.
sharp.cache(false);

export interface EncodedImage {
  format: ImageFormat;
  bytes: Buffer;
  width: number;
  /** Of one frame. */
  height: number;
}

/** An upload rewritten: the image and narrower copies. */
export interface EncodedUpload {
  image: EncodedImage;
  copies: EncodedImage[];
  /** `#rrggbb`, shown until the picture is loaded; blank for a picture with transparent parts. */
  color: string;
}

/**
 * Decodes an image and encodes it again, upright and without any metadata, so that nothing of the sent file's bytes
 * (EXIF, GPS, hidden data) is stored. Keeps the format, unless that would take too much memory.
 * @param options.keepPlain keeps the bytes of an image without other data: encoding it again would blur it
 * @throws AppError `invalid_input` with the reason why the file is refused.
 */
export async function encodeUpload(
  bytes: Buffer,
  options: { keepPlain?: boolean } = {},
): Promise<EncodedUpload> {
  if (bytes.length === 0) throw refused('The file is empty.');
  if (bytes.length > mediaLimits.fileBytes)
    throw refused(
      say('The file is too large: at most {limit} MB.', { limit: mediaLimits.fileBytes / 1024 / 1024 }),
    );
  const format = formatOf(bytes);
  if (!format)
    throw refused(
      'This file type isn’t supported. Upload an image (JPEG, PNG, WebP, GIF or AVIF), audio, a video (MP4 or WebM) or a PDF.',
    );
  if (hasForeignContent(bytes)) throw refused('The file is not only an image. Export it again as an image.');
  try {
    const metadata = await inspect(bytes, format);
    const source = await openSource(bytes, metadata, format);
    // Always encodes: that decodes every pixel, so a damaged file is found.
    const stored = isAnimated(metadata) ? format : storedFormat(format, metadata);
    const fitted = isAnimated(metadata) ? source.open() : fitEncoder(source.open(), stored, metadata);
    const encoded = await encode(inFormat(fitted, stored));
    const isWhole = stored === format && encoded.width * encoded.height === pixelsOf(metadata);
    const isKept =
      options.keepPlain === true && isWhole && (await holdsOnlyPicture(bytes, encoded.bytes, metadata));
    const copies = isAnimated(metadata)
      ? await animatedCopies(source, encoded)
      : await copiesOf(source, encoded, stored);
    const color = metadata.hasAlpha ? '' : await meanColor(copies[0]?.bytes ?? encoded.bytes);
    return { image: isKept ? { ...encoded, bytes } : encoded, copies, color };
  } catch (error) {
    if (isAppError(error)) throw error;
    throw refused(
      say('The image is damaged or not complete ({reason}).', { reason: messageOf(error) }),
      error,
    );
  }
}

// `failOn: 'error'` refuses truncated files too, but accepts the harmless oddities of cameras.
const reading = { failOn: 'error', limitInputPixels: mediaLimits.pixels } as const;

async function inspect(bytes: Buffer, format: ImageFormat): Promise<Metadata> {
  // Without the library's limit of pixels: it calls a picture that is too large a damaged one.
  const metadata = await sharp(bytes, {
    failOn: 'error',
    limitInputPixels: false,
    animated: true,
  }).metadata();
  const realFormat = metadata.format === 'heif' ? 'avif' : metadata.format;
  if (realFormat !== format) throw refused('The file’s content does not match its image format.');
  const frames = metadata.pages ?? 1;
  const pixels = pixelsOf(metadata);
  if (pixels > mediaLimits.pixels)
    throw refused(
      say('The image has too many pixels: at most {most} million.', { most: mediaLimits.pixels / 1e6 }),
    );
  if (frames > mediaLimits.frames)
    throw refused(say('The animation has too many frames: at most {most}.', { most: mediaLimits.frames }));
  if (frames > 1 && pixels * frames > mediaLimits.animationPixels)
    throw refused(
      say('The animation is too large: its frames have at most {most} million pixels together.', {
        most: mediaLimits.animationPixels / 1e6,
      }),
    );
  return metadata;
}

/** Of one frame. */
function pixelsOf({ width, height, pageHeight }: Metadata): number {
  return width * (pageHeight ?? height);
}

/** Opens the picture of an upload, upright. */
interface Source {
  open(): Sharp;
  /** True when memory holds the pixels. */
  isDecoded: boolean;
}

/**
 * Up to this size memory holds all pixels of a JPEG picture (24 MB): a second decoding would cost a tenth of the time.
 */
const DECODED_PIXELS = 8_000_000;

async function openSource(bytes: Buffer, metadata: Metadata, format: ImageFormat): Promise<Source> {
  const animated = isAnimated(metadata);
  // Animations are not rotated: cameras do not write any.
  const open = () => (animated ? sharp(bytes, { ...reading, animated }) : sharp(bytes, reading).autoOrient());
  // Makes the copies of a larger picture from a smaller one, which the decoder returns in less time.
  if (format !== 'jpeg' || metadata.width * metadata.height > DECODED_PIXELS)
    return { open, isDecoded: false };
  return decode(open());
}

/** Holds the pixels instead of a pipeline and its clones: each clone copies all pixels. */
async function decode(pipeline: Sharp): Promise<Source> {
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { open: () => sharp(data, { raw: { width, height, channels } }), isDecoded: true };
}

async function encode(pipeline: Sharp): Promise<EncodedImage> {
  const { data, info } = await pipeline.toBuffer({ resolveWithObject: true });
  const { width, height, pageHeight } = info;
  return { format: formatOf(data)!, bytes: data, width, height: pageHeight ?? height };
}

function isAnimated({ pages }: Metadata): boolean {
  return (pages ?? 1) > 1;
}

/** The mark at the end of a JPEG (ITU T.81, section B.1.1.3). */
const JPEG_END = Buffer.from([0xff, 0xd9]);

/** A kept file may be larger than our encoding of it by this factor: encoding once more changes the size a little. */
const GROWTH_MAX = 1.25;

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
  if (bytes.length > GROWTH_MAX * encoded.length) return false;
  // The decoder accepts a GIF without its end, too.
  if (metadata.format === 'gif') return holdsOnlyFrames(bytes);
  const isJpeg = metadata.format === 'jpeg';
  if (isJpeg && !bytes.subarray(-2).equals(JPEG_END)) return false;
  // A file without its last bytes is unreadable, unless they are not the picture's. One JPEG of ten can be read without
  // its end; the two bytes before the end hold pixels.
  const shorter = sharp(bytes.subarray(0, isJpeg ? -4 : -2), { ...reading, animated: isAnimated(metadata) });
  // Another picture that is worked at the same time can take the error's text away; then sharp reports success without
  // any channel.
  return shorter.stats().then(
    ({ channels }) => channels.length === 0,
    () => true,
  );
}

function inFormat(pipeline: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'jpeg':
      // Progressive takes twice as long for files that are 2 to 5 % smaller. Optimised Huffman tables take 1.7 times as
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

/** Of a JPEG picture: up to this width WebP looks better at its size, above it JPEG looks as good for an eighth of the time. */
const WEBP_WIDTH = 480;

/**
 * A narrow copy needs a better quality: more of it is seen. Optimised Huffman tables double the time for 3 % of the
 * size.
 */
const jpegQuality = (width: number) => (width < 1_600 ? 73 : 69);

/**
 * Wide copies of a JPEG picture are JPEG. Of photographs effort 2 takes 1.7 times as long for files that are 3 % smaller
 * (8 % larger with much noise) and as good; for screenshots it saves a tenth. See decision 026.
 */
function asCopy(pipeline: Sharp, format: ImageFormat, width: number): Sharp {
  if (format !== 'jpeg') return pipeline.webp({ quality: 80, effort: 2 });
  if (width <= WEBP_WIDTH) return pipeline.webp({ quality: 79, effort: 0 });
  return pipeline.jpeg({ quality: jpegQuality(width), optimizeCoding: false });
}

/** The narrower copies of a still image, all from the same pixels: the image is decoded once. */
async function copiesOf(from: Source, image: EncodedImage, format: ImageFormat): Promise<EncodedImage[]> {
  const copies: EncodedImage[] = [];
  let source = from;
  for (const width of copyWidths.filter((width) => width < image.width).reverse()) {
    const height = Math.max(1, Math.round((image.height * width) / image.width));
    const resized = () => source.open().resize({ width, height, fit: 'fill' });
    if (!source.isDecoded) source = await decode(resized());
    copies.unshift(await encode(asCopy(resized(), format, width)));
  }
  return copies;
}

async function animatedCopies(source: Source, image: EncodedImage): Promise<EncodedImage[]> {
  const copies: EncodedImage[] = [];
  for (const width of copyWidths.filter((width) => width < image.width)) {
    // Effort 1 halves the time of an animation and costs a few percent of its size.
    const narrow = source.open().resize({ width }).webp({ quality: 80, effort: 1 });
    copies.push(await encode(narrow));
  }
  return copies;
}

/** The mean colour of a picture. From its smallest copy, that takes a millisecond. */
async function meanColor(bytes: Buffer): Promise<string> {
  const [red = 0, green = red, blue = red] = await sharp(bytes)
    .toColourspace('srgb')
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer();
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function refused(message: Message, cause?: unknown): AppError {
  return new AppError('invalid_input', message, { cause });
}
