// Pictures as people and attackers send them.
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

interface PictureOptions {
  width?: number;
  height?: number;
  format?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
  /** Another seed makes another picture. */
  seed?: number;
}

/** A small picture: a gradient that differs by `seed`. */
export async function picture({
  width = 640,
  height = 400,
  format = 'jpeg',
  seed = 1,
}: PictureOptions = {}): Promise<Buffer> {
  return gradient(width, height, seed).toFormat(format).toBuffer();
}

/** A JPEG as of a phone held sideways: with its position, and with an orientation other than upright. */
export async function phonePicture(): Promise<Buffer> {
  return gradient(1_200, 800, 7)
    .withExif({
      IFD0: { Make: 'Phone maker', Copyright: 'Someone' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 30/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** An animated GIF. */
export async function animation(frames: number, width = 40, height = 30): Promise<Buffer> {
  const perFrame = width * height * 3;
  const pixels = Buffer.alloc(perFrame * frames);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill((frame * 13) & 255, frame * perFrame, (frame + 1) * perFrame);
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif()
    .toBuffer();
}

/** A PNG that says to have frames, as an animated one does. */
export async function animatedPng(frames: number): Promise<Buffer> {
  const still = await picture({ format: 'png', width: 40, height: 30 });
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  chunk.write('acTL', 4, 'latin1');
  chunk.writeUInt32BE(frames, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16);
  // Behind the header.
  return Buffer.concat([still.subarray(0, 33), chunk, still.subarray(33)]);
}

/** A small PNG whose header claims other dimensions. */
export async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

function gradient(width: number, height: number, seed: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = (y * 255) / height;
      pixels[at + 2] = (seed * 40) & 255;
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
