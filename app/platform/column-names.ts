/** The column of a field: the schema calls it the same in snake case. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of a statement of our own, under the names of the fields. */
export function selectFields(table: string, fields: readonly string[]): string {
  return fields.map((field) => `${table}.${columnOf(field)} AS "${field}"`).join(', ');
}
