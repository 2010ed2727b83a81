/**
 * Keys of `trash_items`. A key is the id of what was deleted. A page chooses the id of a new post, and may choose that of
 * a file, category or tag. While both are in the trash, the key of the second one begins with its kind.
 */
export const keyWithKind = (kind: string, id: string): string => `${kind}:${id}`;

/** The id of what was deleted. */
export function trashedId(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** The condition for the entries of some things of one kind. */
export function trashEntries(kind: string, ids: string | readonly string[]) {
  return { kind, id: { in: [ids].flat().flatMap((id) => [id, keyWithKind(kind, id)]) } };
}
