/** Puts marks around the chosen words of a cell, or takes them away. */
export function wrapWords(cell: HTMLTextAreaElement, mark: string): true {
  const { selectionStart: from, selectionEnd: to, value } = cell;
  const size = mark.length;
  const isMarked = value.slice(from - size, from) === mark && value.slice(to, to + size) === mark;
  const words = value.slice(from, to);
  if (isMarked) cell.setRangeText(words, from - size, to + size, 'select');
  else {
    cell.setRangeText(`${mark}${words}${mark}`, from, to);
    cell.setSelectionRange(from + size, to + size);
  }
  cell.dispatchEvent(new Event('input'));
  return true;
}

/** True where the caret is in the first or the last line of what is typed. */
export function isAtEdge(
  { value, selectionStart, selectionEnd }: HTMLTextAreaElement,
  step: number,
): boolean {
  if (selectionStart !== selectionEnd) return false;
  return step > 0 ? selectionEnd === value.length : selectionStart === 0;
}

/** Shows words in a cell, which grows with them. */
export function write(cell: HTMLTextAreaElement, words: string): void {
  if (cell.value !== words) cell.value = words;
  cell.parentElement!.dataset.words = words;
}

/** What is typed into a cell, as a table can hold it: on one line. */
export function plain(typed: string): string {
  return typed.replace(/\s*\n\s*/g, ' ').trim();
}
