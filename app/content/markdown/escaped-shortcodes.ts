import { replacePairs } from './replace-pairs.ts';

const open = /\{\{([<%])/g;
const close = /([>%])\}\}/g;
const escapedOpen = /\{\{([<%])\/\*/g;
const escapedClose = /\*\/([>%])\}\}/g;

/** Writes what Hugo would take for a shortcode so that it shows it as text, in code too. */
export function escapeShortcodes(text: string): string {
  return replacePairs(
    text,
    open,
    () => close,
    ([start], inner, [end]) => `${start}/*${inner}*/${end}`,
  );
}

/** Takes back `escapeShortcodes`. */
export function unescapeShortcodes(text: string): string {
  return replacePairs(
    text,
    escapedOpen,
    () => escapedClose,
    ([, start], inner, [, end]) => `{{${start}${inner}${end}}}`,
  );
}
