import type { PublicImage } from '#app/posts/public-image.ts';

/** What every page of the site shows around its content. */
export interface SiteFrame {
  /** Origin without a trailing slash; absolute URLs begin with it. */
  origin: string;
  title: string;
  description: string;
  /** Null where the title stands alone. */
  logo: PublicImage | null;
  /** BCP 47, e.g. `en` or `zh-Hans`. */
  language: string;
  /** IANA name. */
  timeZone: string;
  navigation: { label: string; href: string }[];
  footerText: string;
  /** Path of the accent colour's stylesheet. */
  themeHref: string;
}
