import { Temporal } from 'temporal-polyfill';
import { toSlug } from '#app/platform/text/slug.ts';
import { nameOfWord, wordsOfScheme } from './permalink-words.ts';

/** The values for the words of an address scheme. */
export interface PermalinkValues {
  /** Null: a scheme that names a part of the date gives no address. */
  date: Date | null;
  timeZone: string;
  /** Below the folder of the posts, without ending, date and `index`. */
  path: string;
  /** The file's name without date and ending, or its folder's for `index`. */
  name: string;
  slug: string;
  /** The value of `:title` if that is not the slug, as in Hugo. */
  title?: string;
  categories: string[];
  /** The front matter's text for any other word: Hexo takes all, such as the `:abbrlink` of a plug-in. */
  field?: (name: string) => string | null;
}

/**
 * A post's address by a scheme such as `/:year/:month/:day/:title/`, in the words of Jekyll, Hugo, Hexo, WordPress or
 * Ghost.
 * @returns null when the scheme names something that the post does not have
 */
export function fillPermalink(pattern: string, values: PermalinkValues): string | null {
  let isWhole = true;
  const filled = pattern.replace(wordsOfScheme, (word) => {
    const value = valueOf(nameOfWord(word), values);
    isWhole &&= value !== null;
    return value ?? '';
  });
  return isWhole ? `/${filled}`.replace(/\/{2,}/g, '/') : null;
}

function valueOf(token: string, values: PermalinkValues): string | null {
  const { date, path, name, slug, categories } = values;
  switch (token) {
    case 'title':
      return values.title ?? slug;
    case 'slug':
    case 'slugorfilename':
    case 'slugorcontentbasename':
    case 'post_title':
    case 'postname':
      return slug;
    case 'name':
    case 'filename':
    case 'contentbasename':
      return name;
    case 'path':
      return path;
    case 'categories':
      return categories.map(toSlug).join('/');
    case 'category':
      return toSlug(categories[0] ?? '');
    case 'section':
      return path.includes('/') ? path.split('/')[0]! : '';
    case 'sections':
      return path.split('/').slice(0, -1).join('/');
    case 'output_ext':
      return '.html';
    default:
      return (date && partOfDate(token, date, values.timeZone)) ?? values.field?.(token) ?? null;
  }
}

function partOfDate(token: string, date: Date, timeZone: string): string | null {
  const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  const parts: Record<string, string> = {
    year: String(local.year).padStart(4, '0'),
    short_year: two(local.year % 100),
    month: two(local.month),
    monthnum: two(local.month),
    i_month: String(local.month),
    day: two(local.day),
    i_day: String(local.day),
    y_day: String(local.dayOfYear).padStart(3, '0'),
    yearday: String(local.dayOfYear),
    hour: two(local.hour),
    minute: two(local.minute),
    second: two(local.second),
  };
  return parts[token] ?? null;
}
