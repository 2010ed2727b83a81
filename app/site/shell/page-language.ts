import { coveringLanguage } from '#app/platform/text/language-tag.ts';
import { directionOf, supportedLanguage } from '#app/platform/text/supported-languages.ts';
import type { SiteFrame } from './frame.ts';

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
