import * as z from 'zod';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { localTime } from './schemas.ts';

/** The texts of a search document that come from a post's own fields. */
export type SearchText = 'title' | 'excerpt' | 'body';

/** The definition of a post field; everything that reads or writes posts derives from it. */
export interface PostField<Value> {
  /** The label of the field inside a sentence. */
  label: string;
  /** The value in a new post, and in revisions from before the field existed. */
  empty: Value;
  /** How a form sends the value. Times are local. */
  form: (timeZone: string) => z.ZodType<Value, string>;
  /** How a form shows the value. */
  toForm: (value: Value, timeZone: string) => string;
  /** How revisions and scheduled updates store the value. */
  stored: z.ZodType<Value>;
  /** How two values are compared for people: line by line, as added and removed items, or as a whole. */
  diff: 'text' | 'list' | 'value';
  /** The column in `posts` and in backups; null: the value is stored in another table. */
  column: { name: string; type: 'text' | 'time'; nullable?: true } | null;
  /**
   * The field's names in a Markdown file: the first one is written, all are read. Null: the importers have rules of
   * their own.
   */
  frontMatter: readonly [string, ...string[]] | null;
  /**
   * The text of the search document that contains the value. Null: none does, or the document has the names of other
   * tables (category, tags, authors).
   */
  search: SearchText | null;
  /** True: the post's own page reads the column unchanged (`PostArticle`). */
  onArticle?: true;
  /** True: no public page or feed depends on the value. */
  unseen?: true;
}

/** A field that holds text. */
export const text = {
  empty: '',
  toForm: (value: string) => value,
  stored: z.string(),
  diff: 'text',
} as const;
/** A field that holds a choice or a code: compared as a whole, not searched. */
export const choice = { ...text, diff: 'value', search: null } as const;
/** A field that names another row, or none. */
export const reference = {
  empty: null as string | null,
  toForm: (value: string | null) => value ?? '',
  stored: z.string().nullable(),
  diff: 'value',
  frontMatter: null,
  search: null,
} as const;
/** A field that holds an instant, or none. */
export const time = {
  empty: null as Date | null,
  form: localTime,
  toForm: (value: Date | null, timeZone: string) => (value ? toLocalTime(value, timeZone) : ''),
  stored: z.coerce.date().nullable(),
  diff: 'value',
  frontMatter: null,
  search: null,
} as const;

/** A column that always holds a text. */
export const column = <Name extends string>(name: Name) => ({ name, type: 'text' }) as const;
/** A column that may be empty. */
export const nullable = <Name extends string>(name: Name, type: 'text' | 'time') =>
  ({ name, type, nullable: true }) as const;
