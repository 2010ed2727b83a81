/** What stands in for a textarea while it is hidden: the live editor. */
export interface TextSource {
  read(): string;
  write(text: string): void;
  focus(): void;
}

const sources = new WeakMap<HTMLTextAreaElement, TextSource>();
const CHANGED = 'textchange';

/** The text of a field, be it typed into the textarea or into the live editor over it. */
export function readText(field: HTMLTextAreaElement): string {
  return sources.get(field)?.read() ?? field.value;
}

/** Replaces the text of a field. */
export function writeText(field: HTMLTextAreaElement, text: string): void {
  const source = sources.get(field);
  if (source) source.write(text);
  else field.value = text;
}

export function focusText(field: HTMLTextAreaElement): void {
  const source = sources.get(field);
  if (source) source.focus();
  else field.focus();
}

/** Calls back at each change of a field's text. */
export function onTextChange(field: HTMLTextAreaElement, call: () => void, signal: AbortSignal): void {
  field.addEventListener('input', call, { signal });
  field.addEventListener(CHANGED, call, { signal });
}

/** Tells whoever listens that the live editor's text has changed. Cheap: nobody reads the text at this moment. */
export function announceTextChange(field: HTMLTextAreaElement): void {
  field.dispatchEvent(new Event(CHANGED, { bubbles: true }));
}

/** The name of the event that `announceTextChange` sends, which comes up to the form. */
export const textChangeEvent = CHANGED;

/** Lets an editor stand in for a textarea. @returns what ends it */
export function standInFor(field: HTMLTextAreaElement, source: TextSource): () => void {
  sources.set(field, source);
  return () => void sources.delete(field);
}
