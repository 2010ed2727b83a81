import { coveringLanguage } from './language-tag.ts';

/** Languages with built-in texts; `app/site/shell/messages.ts` has the texts. */
export const supportedLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt-BR',
  'nl',
  'pl',
  'ja',
  'zh-Hans',
  'zh-Hant',
  'ar',
] as const;

export type SupportedLanguage = (typeof supportedLanguages)[number];

/** The list as messages to people show it. */
export const supportedLanguageList = supportedLanguages.join(', ');

/** The language whose built-in texts a language uses: `de` for `de-AT`; null if there are none. */
export function supportedLanguage(language: string | undefined): SupportedLanguage | null {
  const tag = (language ?? '').split(/[,;]/)[0]!.trim();
  if (/^zh-(tw|hk|mo)\b/i.test(tag)) return 'zh-Hant';
  if (/^zh\b(?!-hant)/i.test(tag)) return 'zh-Hans';
  if (/^pt\b/i.test(tag)) return 'pt-BR';
  return coveringLanguage(tag, supportedLanguages) as SupportedLanguage | null;
}

const rightToLeftScripts = /-(Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Syrc|Thaa)(-|$)/;

const directions = new Map<string, 'rtl' | undefined>();

/**
 * The writing direction of a language, by the script that it is usually written in, unless it is from left to right.
 * Cached: every page asks several times.
 */
export function directionOf(language: string): 'rtl' | undefined {
  if (!directions.has(language)) directions.set(language, readDirection(language));
  return directions.get(language);
}

function readDirection(language: string): 'rtl' | undefined {
  try {
    return rightToLeftScripts.test(new Intl.Locale(language).maximize().toString()) ? 'rtl' : undefined;
  } catch {
    // It is no BCP 47 tag.
    return undefined;
  }
}
