import { supportedLanguage } from '#app/platform/supported-languages.ts';
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
