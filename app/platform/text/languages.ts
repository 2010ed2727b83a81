/** A language tag (BCP 47) in its canonical spelling, such as `pt-BR`; null for anything else. */
export function canonicalLanguage(tag: string): string | null {
  try {
    // Longer first parts are reserved for registration and never used: words such as "english".
    return /^[a-z]{2,3}(-|$)/i.test(tag) ? (Intl.getCanonicalLocales(tag)[0] ?? null) : null;
  } catch {
    return null;
  }
}

/**
 * The most specific of these languages that covers a language: `zh-Hant-TW` is covered by `zh-Hant`. Null if none does.
 */
export function coveringLanguage(tag: string, languages: readonly string[]): string | null {
  const parts = tag.toLowerCase().split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const prefix = parts.slice(0, length).join('-');
    const match = languages.find((language) => language.toLowerCase() === prefix);
    if (match !== undefined) return match;
  }
  return null;
}

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

const letter = /\p{L}/u;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}]/u;

/** The direction of a text by its first letter, as `dir="auto"` finds it; null for a text without letters. */
export function directionOfText(text: string): 'ltr' | 'rtl' | null {
  const [first] = letter.exec(text) ?? [];
  if (first === undefined) return null;
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}
