import { AVIF, type PublicImage } from './public-image.ts';

/** Matches a `<picture>`, which has its own sources, or an `<img>`. A quoted value may contain `>`. */
const PICTURE = /<picture[\s>][\s\S]*?<\/picture>|<img(?:[^>"]|"[^"]*")*>/g;

/**
 * Offers the AVIF copies of a rendered text's own pictures in a `<picture>` around each `<img>`. The text may have been
 * rendered before the copies were made.
 */
export function offerAvif(
  html: string,
  pictures: readonly Pick<PublicImage, 'srcSet' | 'avifSrcSet'>[],
): string {
  const offered = new Map(
    pictures.flatMap(({ srcSet, avifSrcSet }) => (srcSet && avifSrcSet ? [[srcSet, avifSrcSet]] : [])),
  );
  if (offered.size === 0) return html;
  return html.replace(PICTURE, (found) => {
    const srcSet = found.startsWith('<img') ? /\ssrcset="([^"]*)"/.exec(found)?.[1] : undefined;
    const avif = srcSet && offered.get(srcSet);
    if (!avif) return found;
    const sizes = /\ssizes="[^"]*"/.exec(found)?.[0] ?? '';
    return `<picture><source type="${AVIF}" srcset="${avif}"${sizes}>${found}</picture>`;
  });
}
