import { showMarks } from '#app/admin/editor/live/base/shown-words.ts';
import { toolOf } from '#app/admin/editor/live/base/tools.ts';
import { directionOfText } from '#app/platform/text/direction.ts';

/** Puts Markdown marks such as `**` around the selected words of a field, or removes them. */
export function toggleMark(cell: HTMLTextAreaElement | HTMLInputElement, mark: string): true {
  const { selectionStart, selectionEnd, value } = cell;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
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

/** Makes a link of the chosen words of a field, and chooses its address. */
export function linkWords(field: HTMLTextAreaElement | HTMLInputElement): true {
  const { selectionStart, selectionEnd, value } = field;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const before = `[${value.slice(from, to)}](`;
  const address = 'https://';
  field.setRangeText(`${before}${address})`, from, to);
  const start = from + before.length;
  field.setSelectionRange(start, start + address.length);
  field.dispatchEvent(new Event('input'));
  return true;
}

/** True for Ctrl+K with chosen words; without any, it opens the palette of the page. */
export function isLinkKey(event: KeyboardEvent): boolean {
  const { target } = event;
  const hasWords = target instanceof HTMLTextAreaElement && target.selectionStart !== target.selectionEnd;
  return hasWords && toolOf(event) === 'link';
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
  cell.dir = directionOfText(words) === null ? '' : 'auto';
  showMarks(cell.parentElement!, words);
}
