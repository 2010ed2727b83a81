/** For people whose animation became a picture that stands still. */
export const STILL_MESSAGE =
  'Only the first picture of this animation is stored. To keep it moving, send a GIF or an animated WebP.';

/**
 * True for an animation of which only the first picture can be read here: PNG and AVIF. GIF and WebP keep moving.
 */
export function losesAnimation(bytes: Buffer): boolean {
  return isAnimatedPng(bytes) || isAvifSequence(bytes);
}

/** An animated PNG says the number of its frames in a chunk before its first picture. */
function isAnimatedPng(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return false;
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'acTL') return bytes.readUInt32BE(at + 8) > 1;
    if (kind === 'IDAT') return false;
  }
  return false;
}

/** The first box of an AVIF file names the brands; `avis` is a sequence of pictures. */
function isAvifSequence(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256));
  return brands.includes('avis');
}
