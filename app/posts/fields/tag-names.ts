/** What parts the names of tags: the comma of any keyboard (Latin, full-width, ideographic, Arabic), or a new line. */
const separators = ',，、،\n';

export const tagSeparator = new RegExp(`[${separators}]`);
const names = new RegExp(`[ \\t]*"((?:[^"\\n]|"")+)"[ \\t]*(?=[${separators}]|$)|[^${separators}]+`, 'g');

/**
 * The names in a text that somebody typed. A name in quotation marks may contain a comma, and each quotation mark twice.
 */
export function splitTags(typed: string): string[] {
  return [...typed.matchAll(names)]
    .map(([whole, quoted = '']) => (tagSeparator.test(quoted) ? quoted.replaceAll('""', '"') : whole).trim())
    .filter((name) => name !== '');
}

/** The text from which `splitTags` reads these names. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((name) => (tagSeparator.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ');
}
