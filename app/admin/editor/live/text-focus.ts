import { StateEffect } from '@codemirror/state';

/** Says whether the text itself has the focus. It is false while a field inside it, such as a table's cell, has it. */
export const textFocused = StateEffect.define<boolean>();
