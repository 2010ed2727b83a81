import type { PublicImage } from '#app/posts/public-image.ts';

/**
 * A post's cover. `place`: `lead` is what the page is about, fetched before anything else; `near` is likely
 * on the first screen; `far` waits until the reader comes near.
 */
export function CoverImage({
  image,
  sizes,
  place,
}: {
  image: PublicImage;
  sizes: string;
  place: 'lead' | 'near' | 'far';
}) {
  return (
    <img
      className="cover"
      src={image.src}
      srcSet={image.srcSet || undefined}
      sizes={image.srcSet ? sizes : undefined}
      alt={image.alt}
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading={place === 'far' ? 'lazy' : undefined}
      decoding="async"
      // React 18 knows the attribute in lower case only.
      {...(place === 'lead' ? { fetchpriority: 'high' } : {})}
    />
  );
}
