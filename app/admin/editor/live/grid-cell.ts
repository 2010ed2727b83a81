/** Puts Markdown marks such as `**` around the selected words of a cell, or removes them. */
export function toggleMark(cell: HTMLTextAreaElement, mark: string): true {
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

/** True when an arrow key leaves the cell: at the end of its text for `step` 1, at the beginning for -1. */
export function isAtEdge(
  { value, selectionStart, selectionEnd }: HTMLTextAreaElement,
  step: number,
): boolean {
  if (selectionStart !== selectionEnd) return false;
  return step > 0 ? selectionEnd === value.length : selectionStart === 0;
}

/** Shows a text in a cell. The style sheet sizes the cell by `data-words`. */
export function showText(cell: HTMLTextAreaElement, words: string): void {
  if (cell.value !== words) cell.value = words;
  cell.parentElement!.dataset.words = words;
}
