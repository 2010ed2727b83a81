import { schemeProblem } from '#app/import/addresses/permalink-words.ts';

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
