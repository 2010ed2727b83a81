import { readSourceDate } from '#app/import/model/date.ts';
import type { Fields } from './fields.ts';

const dateNames = [
  'date',
  'publishedAt',
  'published_at',
  'publishDate',
  'pubDate',
  'published',
  'created',
  'createdAt',
];
const updatedNames = ['updated', 'lastmod', 'last_modified_at', 'updatedDate', 'updatedAt', 'modified'];

/** The values with which Eleventy asks for the time of the file. */
const fileTime = /(?:git )?(?:created|last modified)/i;

/** False for a text whose front matter cannot ask for the time of the file. */
export function isFileTimeIn(text: string): boolean {
  return fileTime.test(text);
}

/**
 * When a post is or was published: its front matter's date, or the day of its name.
 * @param file.changedAt when the file was last changed, for Eleventy's words
 */
export function dateOf(
  fields: Fields,
  file: { dayOfName: string | null; changedAt: Date | undefined; timeZone: string },
  warnings: string[],
): Date | null {
  if (fields.matches('date', new RegExp(`^${fileTime.source}$`, 'i'))) return file.changedAt ?? null;
  const fallback = file.dayOfName === null ? null : readSourceDate(file.dayOfName, file.timeZone);
  const written = fields.dateOr(fallback, file.timeZone, ...dateNames);
  if (written.unreadable !== null)
    warnings.push(`The date “${written.unreadable}” cannot be read: the one of the file’s name counts.`);
  return written.date;
}

/** When a post was last changed; null if its front matter has no such date, or one that cannot be read. */
export function updatedOf(fields: Fields, timeZone: string): Date | null {
  return fields.date(timeZone, ...updatedNames) ?? fields.table('last_update').date(timeZone, 'date');
}
