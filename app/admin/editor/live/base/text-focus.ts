import { StateEffect } from '@codemirror/state';

/**
 * Whether the text itself has the focus. False while a field inside the text, such as a table's cell, has the focus.
 */
export const textFocused = StateEffect.define<boolean>();
