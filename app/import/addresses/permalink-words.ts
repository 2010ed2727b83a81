/** The words of a scheme of addresses: `:year` of Jekyll, Hugo and Hexo, `%year%` of WordPress, `{year}` of Ghost. */
export const wordsOfScheme = /:[a-z_]+|%[a-z_]+%|\{[a-z_]+\}/g;

export function nameOfWord(word: string): string {
  return word.replace(/[:%{}]/g, '');
}

const knownWords = new Set([
  ...['title', 'slug', 'slugorfilename', 'slugorcontentbasename', 'post_title', 'postname'],
  ...['name', 'filename', 'contentbasename', 'path', 'section', 'sections', 'output_ext'],
  ...['categories', 'category', 'year', 'short_year', 'month', 'monthnum', 'i_month', 'day', 'i_day'],
  ...['y_day', 'yearday', 'hour', 'minute', 'second'],
]);

/**
 * The fault of a scheme; null for a valid one. A scheme without a word would give all posts one address.
 * @param options.takesFields also names of the front matter are words, as in Hexo
 */
export function schemeProblem(pattern: string, { takesFields = false } = {}): string | null {
  const words = pattern.match(wordsOfScheme) ?? [];
  if (words.length === 0) return 'needs a word that differs from post to post, such as :title';
  if (takesFields) return null;
  const unknown = words.filter((word) => !knownWords.has(nameOfWord(word)));
  return unknown.length > 0 ? `has no word ${unknown.join(', ')}` : null;
}

/** Parts of a date as Liquid (`%Y`) and Luxon (`yyyy`) write them. */
const datePart: readonly [RegExp, string][] = [
  [/%Y|yyyy|YYYY/g, ':year'],
  [/%m|\b(?:MM|LL)\b/g, ':month'],
  [/%d|\b(?:dd|DD)\b/g, ':day'],
];

/**
 * An address in a template language of Eleventy (`/blog/{{ page.fileSlug }}/index.html`), or in a template text of a
 * program (`/blog/${data.page.fileSlug}/`), as a scheme with this project's words.
 * @returns null for an address with other values than the title, the slug, the file's name or path, and the date
 */
export function eleventyScheme(template: string): string | null {
  const scheme = `/${template}`
    .replace(
      /(?:\{\{|\$\{)([\s\S]*?)(?:\}\}|\})/g,
      (whole, expression: string) => wordOf(expression) ?? whole,
    )
    .replace(/(^|\/)index\.html$/, '$1')
    .replace(/\/{2,}/g, '/');
  return /[{}]/.test(scheme) || schemeProblem(scheme) !== null ? null : scheme;
}

function wordOf(expression: string): string | null {
  const format = /\b[dD]ate\b[^"']*["']([^"']+)["']/.exec(expression)?.[1];
  if (format !== undefined) {
    const parts = datePart.reduce((text, [part, word]) => text.replace(part, word), format);
    return /^(?::\w+|[-/.])+$/.test(parts) ? parts : null;
  }
  if (/\bfilePathStem\b/.test(expression)) return ':path';
  if (/\boutputFileExtension\b/.test(expression)) return 'html';
  // Filters and functions that make a slug are not values.
  const values = expression.replace(/\|\s*slug(?:ify)?\b|\bslug(?:ify)?\s*\(/g, ' ');
  if (/\bslug\b/.test(values)) return ':slug';
  if (/\bfileSlug\b/.test(values)) return ':name';
  return /\btitle\b/.test(values) ? ':title' : null;
}
