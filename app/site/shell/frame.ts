import { coveringLanguage, directionOf, supportedLanguage } from '#app/platform/text/languages.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import type { ResolvedAppearance } from '#app/settings/appearance/appearance.ts';
import type { Announcement, MenuEntry, MenuLink } from '#app/settings/parse.ts';

/** The site's own links, which each language has translated. */
export interface Menus {
  header: MenuEntry[];
  /** Empty: the usual links. */
  footer: MenuEntry[];
  /** The highlighted link beside the header's menu. */
  headerButton: MenuLink | null;
  /** The line above every page. */
  announcement: Announcement | null;
}

/** What every page of the site shows around its content. */
export interface SiteFrame extends Menus {
  /** Origin without a trailing slash; absolute URLs begin with it. */
  origin: string;
  title: string;
  description: string;
  /** Null: the title is shown alone. */
  logo: PublicImage | null;
  /** Of the page that is shown. BCP 47, e.g. `en` or `zh-Hans`. */
  language: string;
  /** Of the site. */
  siteLanguage: string;
  /** The site's other languages. */
  otherLanguages: string[];
  /** Where the list of posts is. */
  postsPath: string;
  /** IANA name. */
  timeZone: string;
  /** The menus in each of the site's other languages. */
  menus: Record<string, Menus>;
  footerText: string;
  /** True: pages show the form of the newsletter. */
  hasNewsletter: boolean;
  /** The icon, and the picture of shared pages that have none of their own. */
  icon: PublicImage | null;
  /** Addresses of the site's presence elsewhere. */
  socialLinks: string[];
  copyButton: boolean;
  /** Sites whose films and maps a page may open in a frame. */
  embedHosts: string[];
  /** Path of the appearance's stylesheet. */
  themeHref: string;
  /** Font files that every page needs, to be preloaded. */
  fontFiles: string[];
  /** What lists of posts look like; some show no pictures. */
  listStyle: ResolvedAppearance['list_style'];
  postStyle: ResolvedAppearance['post_style'];
  footerStyle: ResolvedAppearance['footer_style'];
  headerPlace: ResolvedAppearance['header_place'];
}

/** The language that a match's loader names as `language`, if there are texts in it; otherwise the frame's. */
export function pageLanguage(site: SiteFrame, matches: readonly { data?: unknown }[]): SiteFrame['language'] {
  const named = matches.map(({ data }) => (data as { language?: unknown } | undefined)?.language);
  const language = named.findLast((candidate) => typeof candidate === 'string');
  return language && supportedLanguage(language) ? language : site.language;
}

/** The frame in that language. */
export function inPageLanguage(site: SiteFrame, matches: readonly { data?: unknown }[]): SiteFrame {
  return { ...site, language: pageLanguage(site, matches) };
}

/** The site's other language whose lists a page links to: `de` for a post in `de-AT`. Null for the main lists. */
export function listLanguage(
  site: Pick<SiteFrame, 'language' | 'siteLanguage' | 'otherLanguages'>,
): string | null {
  return site.language === site.siteLanguage ? null : coveringLanguage(site.language, site.otherLanguages);
}

/** The attributes of a text in its own language, which may have another direction than the page; blank: the site's. */
export function textLanguage(language: string): { lang?: string; dir?: 'rtl' | 'ltr' } {
  return language === '' ? {} : { lang: language, dir: directionOf(language) ?? 'ltr' };
}

/** The same for a post's title or beginning on another page; none on a page in the same language. */
export function wordsLanguage(
  language: string,
  site: Pick<SiteFrame, 'language' | 'siteLanguage'>,
): ReturnType<typeof textLanguage> {
  const own = language || site.siteLanguage;
  return own === site.language ? {} : textLanguage(own);
}

/** A language's name in itself: “Deutsch”, “português (Brasil)”; the tag for an unknown language. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
    return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}
