/** The words of a scheme of addresses: `:year` of Jekyll, Hugo and Hexo, `%year%` of WordPress, `{year}` of Ghost. */
export const wordsOfScheme = /:[a-z_]+|%[a-z_]+%|\{[a-z_]+\}/g;

export function nameOfWord(word: string): string {
  return word.replace(/[:%{}]/g, '');
}

const known = new Set([
  ...['title', 'slug', 'slugorfilename', 'slugorcontentbasename', 'post_title', 'postname'],
  ...['name', 'filename', 'contentbasename', 'path', 'section', 'sections', 'output_ext'],
  ...['categories', 'category', 'year', 'short_year', 'month', 'monthnum', 'i_month', 'day', 'i_day'],
  ...['y_day', 'yearday', 'hour', 'minute', 'second'],
]);

/** Those that no post can fill in. */
export function unknownWords(pattern: string): string[] {
  return (pattern.match(wordsOfScheme) ?? []).filter((word) => !known.has(nameOfWord(word)));
}
