import { columnFieldNames, postFields, type ColumnFieldName } from '#app/posts/fields/fields.ts';
import { asFormOrBlank, optional, postAddress, text, time, type Column } from './columns.ts';

const types = { text, time } as const;

type FieldColumns = Record<(typeof postFields)[ColumnFieldName]['column']['name'], Column>;

/** The columns of the post fields, by their names in the database and in the order of the catalogue. */
export const postFieldColumns = Object.fromEntries(
  columnFieldNames.map((field) => {
    const { name, type, nullable } = { nullable: false, ...postFields[field].column };
    if (field === 'slug') return [name, postAddress];
    if (nullable) return [name, optional(types[type])];
    // A draft may have no title.
    return [name, asFormOrBlank(postFields[field].form('UTC'))];
  }),
) as FieldColumns;
