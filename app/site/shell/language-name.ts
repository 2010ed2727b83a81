/** A language's name in itself: “Deutsch”, “português (Brasil)”; the tag for an unknown language. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
    return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}
