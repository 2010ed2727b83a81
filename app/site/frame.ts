import type { PublicImage } from '#app/posts/public-image.ts';
import type { Look } from '#app/settings/appearance/appearance.ts';

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
  /** Path of the appearance's stylesheet. */
  themeHref: string;
  /** Font files that the page certainly needs; fetched early, they arrive before anything is drawn. */
  fontFiles: string[];
  /** What lists of posts look like; some show no pictures. */
  listStyle: Look['list_style'];
  postStyle: Look['post_style'];
}
