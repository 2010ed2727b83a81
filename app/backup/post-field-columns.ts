import { columnFieldNames, postFields, type ColumnFieldName } from '#app/posts/fields.ts';
import { optional, text, time, type Column } from './columns.ts';

const types = { text, time } as const;

type FieldColumns = Record<(typeof postFields)[ColumnFieldName]['column']['name'], Column>;

/** The columns of the post fields, by their names in the database and in the order of the catalogue. */
export const postFieldColumns = Object.fromEntries(
  columnFieldNames.map((field) => {
    const { name, type, nullable } = { nullable: false, ...postFields[field].column };
    return [name, nullable ? optional(types[type]) : types[type]];
  }),
) as FieldColumns;
