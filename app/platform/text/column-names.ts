/** The column of a field: the field's name in snake case, as in the schema. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns to select in a raw SQL statement, each named as its field. */
export function selectFields(table: string, fields: readonly string[]): string {
  return fields.map((field) => `${table}.${columnOf(field)} AS "${field}"`).join(', ');
}
