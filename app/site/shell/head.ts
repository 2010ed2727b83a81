import type { MetaDescriptor } from '@remix-run/node';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import { type SiteFrame, inPageLanguage } from './frame.ts';

/** A picture that other sites show beside a link. */
export type SharedImage = Pick<PublicImage, 'src' | 'width' | 'height' | 'alt'>;

/** The content of a page's head. */
export interface PageHead {
  /** Without the site's title; `''` on the home page. */
  title: string;
  description: string;
  /** Percent-encoded, with `?page=` after the first page. */
  path: string;
  /** Absolute; set when another address than the page's own is the canonical one. */
  canonicalUrl?: string;
  image?: SharedImage | null;
  /** Further `<meta property>` pairs, such as `article:tag`. */
  properties?: [string, string][];
  /** A feed of this page's own, beside the site's. */
  feed?: { title: string; href: string };
  noIndex?: boolean;
  /** JSON-LD objects. */
  data?: object[];
}

/** Title, canonical address, Open Graph, X card and JSON-LD of a page, for a route's `meta`. */
export function pageMeta(site: SiteFrame, page: PageHead): MetaDescriptor[] {
  const url = page.canonicalUrl || site.origin + page.path;
  const title = page.title || site.title;
  const description = page.description || site.description || site.title;
  const image = page.image ?? site.icon;
  return [
    { title: page.title ? `${page.title} · ${site.title}` : site.title },
    { name: 'description', content: description },
    page.noIndex ? { name: 'robots', content: 'noindex' } : { tagName: 'link', rel: 'canonical', href: url },
    property('og:site_name', site.title),
    property('og:type', page.properties ? 'article' : 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    property('og:locale', openGraphLocale(site.language)),
    ...(page.properties ?? []).map(([name, content]) => property(name, content)),
    ...(image ? imageMeta(site.origin, image) : []),
    { name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' },
    ...(page.feed
      ? [{ tagName: 'link' as const, rel: 'alternate', type: 'application/rss+xml', ...page.feed }]
      : []),
    ...(page.data ?? []).map((data) => ({ 'script:ld+json': data as Record<string, string> })),
  ];
}

/** The frame that the root loader read, in the page's language, out of a `meta` function's matches. */
export function siteOf(matches: { id: string; data?: unknown }[]): SiteFrame {
  const root = matches.find(({ id }) => id === 'root')!;
  return inPageLanguage((root.data as { site: SiteFrame }).site, matches);
}

function property(name: string, content: string): MetaDescriptor {
  return { property: name, content };
}

function imageMeta(origin: string, { src, width, height, alt }: SharedImage): MetaDescriptor[] {
  return [
    property('og:image', origin + src),
    ...(width && height
      ? [property('og:image:width', String(width)), property('og:image:height', String(height))]
      : []),
    ...(alt ? [property('og:image:alt', alt)] : []),
    { name: 'twitter:image', content: origin + src },
  ];
}

const openGraphLocales = new Map<string, string>();

/** Open Graph wants language and territory: `en` is `en_US`, `zh-Hans` is `zh_CN`. */
function openGraphLocale(language: string): string {
  let openGraph = openGraphLocales.get(language);
  if (openGraph === undefined) {
    const locale = new Intl.Locale(language).maximize();
    openGraph = locale.region ? `${locale.language}_${locale.region}` : locale.language;
    openGraphLocales.set(language, openGraph);
  }
  return openGraph;
}
