const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];

/** True when a GIF consists of frames, their times and how often they repeat, with no other block and nothing after its end. */
export function holdsOnlyFrames(bytes: Buffer): boolean {
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
