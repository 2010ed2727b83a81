import { isSmallPicture } from '#app/media/encode/limits.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { AVIF, type PublicImage } from '#app/posts/pictures/public-image.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import { useSite } from '#app/site/shell/use-site.ts';

/**
 * A post's cover. `place`: `lead` is what the page is about, fetched before anything else; `near` is likely
 * on the first screen; `far` is loaded when the reader scrolls near it.
 */
export function CoverImage({
  image,
  sizes,
  place,
  focus = '',
  crop = '',
}: {
  image: PublicImage;
  sizes: string;
  place: 'lead' | 'near' | 'far';
  /** As `coverFocus` and `coverCrop` of a post. */
  focus?: string;
  crop?: string;
}) {
  const img = (
    <img
      className={coverClasses(image, focus, crop)}
      src={image.src}
      srcSet={image.srcSet || undefined}
      sizes={image.srcSet ? sizes : undefined}
      alt={image.alt}
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading={place === 'far' ? 'lazy' : undefined}
      decoding="async"
      data-color={image.color || undefined}
      // React 18 knows the attribute in lower case only.
      {...(place === 'lead' ? { fetchpriority: 'high' } : {})}
    />
  );
  if (!image.avifSrcSet) return img;
  return (
    <picture>
      <source type={AVIF} srcSet={image.avifSrcSet} sizes={sizes} />
      {img}
    </picture>
  );
}

/**
 * A post's cover beside its title, in the narrowest copy. Without an alternative text, since the title says the same.
 */
export function Thumbnail({ image, focus }: { image: PublicImage; focus: string }) {
  const [narrowest] = image.srcSet.split(' ');
  return (
    <img
      className={coverClasses(image, focus, '')}
      src={narrowest || image.src}
      alt=""
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading="lazy"
      decoding="async"
      data-color={image.color || undefined}
    />
  );
}

const withoutCovers: readonly SiteFrame['listStyle'][] = ['compact', 'archive', 'letters'];

/** Whether the site's lists of posts have pictures. */
export function showsCovers({ listStyle }: Pick<SiteFrame, 'listStyle'>): boolean {
  return !withoutCovers.includes(listStyle);
}

const drawsFields: readonly SiteFrame['listStyle'][] = ['cards', 'magazine'];

/** Whether a post without a cover, among others with one, is a field of colour. */
export function drawsCovers({ listStyle }: Pick<SiteFrame, 'listStyle'>): boolean {
  return drawsFields.includes(listStyle);
}

const leadSizes: Record<SiteFrame['postStyle'], string> = {
  above: '(min-width: 72rem) 1080px, 100vw',
  wide: '(min-width: 96rem) 1440px, 100vw',
  full: '100vw',
  split: '(min-width: 72rem) 580px, 100vw',
  none: '(min-width: 72rem) 1080px, 100vw',
};

/** The cover of the post or page that is read. */
export function LeadCover({ of }: { of: Pick<PostArticle, 'cover' | 'coverFocus' | 'coverCrop'> }) {
  const { postStyle } = useSite();
  if (!of.cover) return null;
  return (
    <CoverImage
      image={of.cover}
      focus={of.coverFocus}
      crop={of.coverCrop}
      sizes={leadSizes[postStyle]}
      place="lead"
    />
  );
}

/** The class names for the visible part of a cover. The stored picture does not change. */
function coverClasses(image: PublicImage, focus: string, crop: string): string {
  const [x, y] = focus.split(' ');
  return [
    'cover',
    isSmallPicture(image) && 'cover-small',
    x && y && `focus-x-${x} focus-y-${y}`,
    crop && `crop-${crop}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The number of tones in `covers.css`. */
const TONES = 4;

/**
 * The class names of a post without a cover among posts that have one: its own words on a field of colour. Posts of
 * one `group`, such as a category's address, have one tone.
 */
export function drawnClass(group: string): string {
  let sum = 0;
  for (const sign of group) sum += sign.codePointAt(0)!;
  return `drawn tone-${sum % TONES}`;
}
