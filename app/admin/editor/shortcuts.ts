/** The keyboard map: with Ctrl, or ⌘ on a Mac. `button` is a toolbar button's `data-md-button`. */
export const shortcuts = [
  { key: 's', label: 'Save', action: 'save' },
  { key: 'b', label: 'Bold', button: 'bold' },
  { key: 'i', label: 'Italic', button: 'italic' },
  { key: 'k', label: 'Link', button: 'link' },
  { key: 'e', label: 'Code', button: 'code' },
  { key: 'h', shift: true, label: 'Heading', button: 'header-2' },
  { key: 'q', shift: true, label: 'Quote', button: 'quote' },
  { key: '8', shift: true, label: 'List', button: 'unordered-list' },
  { key: '7', shift: true, label: 'Numbered list', button: 'ordered-list' },
  { key: 'p', shift: true, label: 'Preview beside the text', action: 'preview' },
] as const;

export type Shortcut = (typeof shortcuts)[number];

/** The shortcut of a key press; null for any other. */
export function shortcutOf(event: {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}): Shortcut | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  // With Shift, a digit's key tells another character.
  const pressed = event.code.startsWith('Digit') ? event.code.slice(5) : event.key.toLowerCase();
  return shortcuts.find((known) => known.key === pressed && 'shift' in known === event.shiftKey) ?? null;
}

/** What Enter continues: the marker of a list line; `''` where the line's item is empty and the list ends. */
export function nextListMarker(line: string): { marker: string } | null {
  const match = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))( \[[ xX]\])? (.*)$/.exec(line);
  if (!match) return null;
  const [, indent, bullet, number, stop, task, text] = match;
  if (text!.trim() === '') return { marker: '' };
  const item = bullet ?? `${Number(number) + 1}${stop}`;
  return { marker: `${indent}${item}${task ? ' [ ]' : ''} ` };
}
