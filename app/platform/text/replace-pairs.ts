/**
 * Replaces the text from each opening mark to the next closing one. Walks over the text once, however many marks are
 * never closed.
 * @param open global
 * @param closeOf the global pattern of the mark that closes an opening one
 * @param replace gets the opening mark, the text between, and the closing mark
 */
export function replacePairs(
  text: string,
  open: RegExp,
  closeOf: (opening: RegExpExecArray) => RegExp,
  replace: (opening: RegExpExecArray, inner: string, closing: RegExpExecArray) => string,
): string {
  // Marks that are not closed again.
  const unclosed = new Set<string>();
  let read = '';
  let done = 0;
  open.lastIndex = 0;
  for (let opening = open.exec(text); opening; opening = open.exec(text)) {
    const start = open.lastIndex;
    const close = closeOf(opening);
    if (unclosed.has(close.source)) continue;
    close.lastIndex = start;
    const closing = close.exec(text);
    if (!closing) {
      unclosed.add(close.source);
      continue;
    }
    const end = close.lastIndex;
    read += text.slice(done, opening.index) + replace(opening, text.slice(start, closing.index), closing);
    done = end;
    open.lastIndex = end;
  }
  return done === 0 ? text : read + text.slice(done);
}
