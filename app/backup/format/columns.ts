import * as z from 'zod';
import { isMediaPath } from '#app/media/library/path.ts';
import { pictureAddress, isStorable, requiredLine, text as formText } from '#app/platform/text/schemas.ts';
import { parseJson } from '#app/platform/json.ts';
import { isSlug } from '#app/platform/text/slug.ts';

/** What a column may hold in a backup. */
export interface Column {
  /** A time is a `Date` in the database and ISO 8601 UTC with milliseconds in a backup. */
  type: 'text' | 'integer' | 'boolean' | 'time';
  nullable: boolean;
  /** The allowed values of a column with a fixed set. */
  choices?: readonly string[];
  schema: z.ZodType;
}

const textSchema = z
  .string('is not text')
  .refine(isStorable, 'holds a character that no database here can store');

const column = (type: Column['type'], schema: z.ZodType): Column => ({ type, nullable: false, schema });
const textWhere = (isValid: (value: string) => boolean, message: string) =>
  column('text', textSchema.refine(isValid, message));

export const text = column('text', textSchema);

/** 32 bits, as both databases store it. */
export const integer = column('integer', z.int32('is not a whole number of 32 bits'));

export const boolean = column('boolean', z.boolean('is neither true nor false'));

export const time = column(
  'time',
  z
    .string('is not a time')
    .refine(isTime, 'is not a time such as 2026-11-20T08:00:00.000Z, in the years 0001 to 9999'),
);

/** Text as a form stores it. */
export function asForm(form: z.ZodType): Column {
  const schema = textSchema.superRefine((value, context) => {
    const { error } = form.safeParse(value);
    if (error) context.addIssue({ code: 'custom', message: `cannot be stored: ${error.issues[0]!.message}` });
  });
  return column('text', schema);
}

/** The same, or nothing yet. */
export function asFormOrBlank(form: z.ZodType): Column {
  return asForm(z.union([z.literal(''), form]));
}

/** JSON, as the product writes it. */
export const json = textWhere((value) => parseJson(value) !== undefined, 'is not JSON');

/** The same, or nothing yet. */
export const jsonOrBlank = column('text', z.union([z.literal(''), json.schema], 'is not JSON'));

export const slug = textWhere(isSlug, 'is not a slug');

/** A post's slug, or the path of a page. */
export const postAddress = textWhere(
  (value) => value.replace(/^\//, '').split('/').every(isSlug) && (value.startsWith('/') || isSlug(value)),
  'is not a slug or the path of a page',
);

/** A path on the site, decoded. */
export const sitePath = textWhere(
  (value) => value.startsWith('/') && value.length <= 2_000,
  'is not a path on the site',
);

/** The path of a stored file below the uploads folder. */
export const mediaPath = textWhere(isMediaPath, 'is not a path below the uploads folder');

/** JSON list of an image's other sizes, each with the path of its file. */
export const variants = textWhere(
  (value) => variantsOf(value) !== undefined,
  'is not a list of image variants',
);

export function choice(values: readonly string[]): Column {
  return { ...column('text', z.enum(values, `is none of ${values.join(', ')}`)), choices: values };
}

export function optional(column: Column): Column {
  return { ...column, nullable: true, schema: column.schema.nullable() };
}

const variantsSchema = z.array(
  z.looseObject({ path: z.string().refine(isMediaPath), bytes: z.int().nonnegative() }),
);

/** The files that `media.variants` names; undefined when the text is not a valid list. */
export function variantsOf(value: string): { path: string; bytes: number }[] | undefined {
  return variantsSchema.safeParse(parseJson(value)).data;
}

function isTime(value: string): boolean {
  const instant = new Date(value);
  const valid = /^\d{4}-/.test(value) && !Number.isNaN(instant.getTime());
  return valid && instant.toISOString() === value && !value.startsWith('0000');
}

/** The columns of categories and tags. */
export const termColumns = {
  id: text,
  slug,
  name: asForm(requiredLine(100, 'Name')),
  description: asForm(formText(2_000, 'Description')),
  picture: asForm(pictureAddress('Picture')),
  created_at: time,
  updated_at: time,
};

/** What backups and imports do with a table. */
export type CatalogueEntry =
  | BusinessEntry
  | { kind: 'derived'; model: string }
  | { kind: 'ephemeral'; model: string; onImport: 'clear' | 'keep' };

/** A table that backups hold. */
export interface BusinessEntry {
  kind: 'business';
  /** Name of the Prisma delegate. */
  model: string;
  /** Columns of the primary key; files are sorted by it. */
  key: readonly string[];
  /** PostgreSQL may sort the key by the rules of a language, so an export sorts it. */
  isSortedByExport?: true;
  /** Columns whose values occur once. */
  unique?: readonly string[];
  /** Column → the business table whose `id` it names. */
  references?: Readonly<Record<string, string>>;
  /** A column that `"redacted": true` may replace in a line. */
  redactable?: string;
  /** In the order of the model, which is the order of the keys in a line. */
  columns: Readonly<Record<string, Column>>;
}

/** A table that backups hold. @param model name of the Prisma delegate */
export function business<const Entry extends Omit<BusinessEntry, 'kind' | 'model'>>(
  model: string,
  entry: Entry,
) {
  return { kind: 'business', model, ...entry } as const;
}
