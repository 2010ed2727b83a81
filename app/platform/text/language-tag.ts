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
