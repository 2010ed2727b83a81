/** The limits of an upload. A larger file is refused with the limit in the message. */
export const mediaLimits = {
  fileBytes: 25 * 1024 * 1024,
  /** Files in one form. */
  files: 20,
  formBytes: 200 * 1024 * 1024,
  /** Width times height. Decoding holds about 4 bytes a pixel. */
  pixels: 50_000_000,
  /** Of an animation. */
  frames: 300,
  /** Of all frames of an animation together. Measured: 10 million take 4 s to write as GIF. */
  animationPixels: 20_000_000,
  nameCharacters: 255,
} as const;

/** Widths of the smaller copies, in pixels; only those narrower than the image are made. */
export const copyWidths = [480, 960, 1600] as const;

/** True for a picture of dots that is narrower than every copy: as wide as a page it would be blown up. */
export function isSmallPicture({ width, mimeType }: { width: number | null; mimeType: string }): boolean {
  return width !== null && width < copyWidths[0] && mimeType !== 'image/svg+xml';
}
