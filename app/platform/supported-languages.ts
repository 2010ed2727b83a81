import { coveringLanguage } from './language-tag.ts';

/** Languages that there are built-in texts in; `app/site/messages.ts` has them. */
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

/** As people read it in a message. */
export const supportedLanguageList = supportedLanguages.join(', ');

/** The language whose texts a language gets: `de` for `de-AT`; null where there are none. */
export function supportedLanguage(language: string | undefined): SupportedLanguage | null {
  const tag = (language ?? '').split(/[,;]/)[0]!.trim();
  if (/^zh-(tw|hk|mo)\b/i.test(tag)) return 'zh-Hant';
  if (/^zh\b(?!-hant)/i.test(tag)) return 'zh-Hans';
  if (/^pt\b/i.test(tag)) return 'pt-BR';
  return coveringLanguage(tag, supportedLanguages) as SupportedLanguage | null;
}

/** The direction that a language is written in, where it is not the usual one. */
export function directionOf(language: string): 'rtl' | undefined {
  return /^(ar|fa|he|ur)\b/i.test(language) ? 'rtl' : undefined;
}
