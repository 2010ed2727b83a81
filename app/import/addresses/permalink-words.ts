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
