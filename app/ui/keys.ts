/** The key code of a key that an input method has taken. */
const TAKEN = 229;

/**
 * True for a key that belongs to an input method, such as the Enter that takes one of its choices. Safari reports that
 * one after the end of the composition, with the key code alone.
 */
export function isForInputMethod(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === TAKEN;
}

/**
 * The letter or digit of a shortcut. If the key types another character, its position on the keyboard decides: layouts
 * of other scripts type other letters (Russian `ы` for S), and a digit's key with Shift types a sign.
 */
export function shortcutKey({ key, code }: { key: string; code: string }): string {
  if (code.startsWith('Digit')) return code.slice(5);
  const typed = key.toLowerCase();
  return code.startsWith('Key') && !/^[a-z]$/.test(typed) ? code.slice(3).toLowerCase() : typed;
}

const fields = 'textarea, select, input:not([type=checkbox], [type=radio], [type=file])';

/** True for what takes the letters that somebody types: a field, or a text that can be edited. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(fields));
}
