/** A text, the last one perhaps without its end, or a bracket. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]/gs;

/**
 * A Ghost export that ends too early, up to its last whole row and closed there; null when it has none.
 * A row is in `{db: [{data: {table: [row]}}]}`, or without `db` around it.
 */
export function closeCutExport(json: string): string | null {
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
