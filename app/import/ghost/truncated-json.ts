/** A string, which the end of the file may cut off, or a bracket. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]/gs;

/**
 * Cuts a truncated Ghost export after its last complete row and closes the open brackets; null when no row is complete.
 * A row is at `{db: [{data: {table: [row]}}]}`, or the same without `db`.
 */
export function repairTruncatedExport(json: string): string | null {
  const open: string[] = [];
  let end: { at: number; closing: string } | null = null;
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token);
    if (token !== '}' && token !== ']') continue;
    open.pop();
    const rowsAt = open[1] === '[' ? 5 : 3;
    if (token !== '}' || open.length !== rowsAt || open.at(-1) !== '[') continue;
    const closing = open.map((bracket) => (bracket === '{' ? '}' : ']')).toReversed();
    end = { at: index + 1, closing: closing.join('') };
  }
  return end && json.slice(0, end.at) + end.closing;
}
