/** An editor that replaces a hidden textarea. */
interface TextSource {
  read(): string;
  write(text: string): void;
  /** @param at where the caret shall be; absent: where it was */
  focus(at?: number): void;
}

const sources = new WeakMap<HTMLTextAreaElement, TextSource>();
/** The name of the event that `announceTextChange` sends; it bubbles up to the form. */
export const TEXT_CHANGED = 'textchange';

/** The text of a field, whether it was typed into the textarea or into the live editor. */
export function readText(field: HTMLTextAreaElement): string {
  return sources.get(field)?.read() ?? field.value;
}

export function writeText(field: HTMLTextAreaElement, text: string): void {
  const source = sources.get(field);
  if (source) source.write(text);
  else field.value = text;
}

export function focusText(field: HTMLTextAreaElement, at?: number): void {
  const source = sources.get(field);
  if (source) return source.focus(at);
  field.focus();
  if (at !== undefined) field.setSelectionRange(at, at);
}

/** Calls a function after each change of a field's text. */
export function onTextChange(field: HTMLTextAreaElement, callback: () => void, signal: AbortSignal): void {
  field.addEventListener('input', callback, { signal });
  field.addEventListener(TEXT_CHANGED, callback, { signal });
}

/** Notifies listeners of a change in the live editor. Does not read the text, since that takes time. */
export function announceTextChange(field: HTMLTextAreaElement): void {
  field.dispatchEvent(new Event(TEXT_CHANGED, { bubbles: true }));
}

/** Makes an editor replace a textarea. @returns a function that undoes this */
export function replaceTextarea(field: HTMLTextAreaElement, source: TextSource): () => void {
  sources.set(field, source);
  return () => void sources.delete(field);
}

/** How many letters are compared: enough to tell the blocks of a text apart. */
const COMPARED = 24;

/** The first letters and digits of a text. They are the same for visible Markdown and for the rendered page. */
export function firstLetters(words: string): string {
  return words
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, COMPARED)
    .toLowerCase();
}

// Apart from the buttons that send it, since the page listens before it loads the live editor.
/**
 * The event that asks the page to open the library. Its `detail` is a function that takes the chosen picture's address.
 */
export const CHOOSE_POSTER = 'chooseposter';
export type ChoosePoster = CustomEvent<(src: string) => void>;
