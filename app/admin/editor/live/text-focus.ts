import { StateEffect } from '@codemirror/state';

/** Whether the text itself has the focus; a field inside it takes the focus away. */
export const textFocused = StateEffect.define<boolean>();
