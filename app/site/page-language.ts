import { supportedLanguage } from '#app/platform/supported-languages.ts';
import type { SiteFrame } from './frame.ts';

/** The frame in the language that a match's loader names as `language`, where there are texts in it. */
export function inPageLanguage(site: SiteFrame, matches: readonly { data?: unknown }[]): SiteFrame {
  const named = matches.map(({ data }) => (data as { language?: unknown } | undefined)?.language);
  const language = named.findLast((one) => typeof one === 'string');
  return language && supportedLanguage(language) ? { ...site, language } : site;
}
