/** The key code of a key that an input method has taken. */
const TAKEN = 229;

/**
 * True for a key that belongs to an input method, such as the Enter that takes one of its choices. Safari reports that
 * one after the end of the composition, with the key code alone.
 */
export function isForInputMethod(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === TAKEN;
}
