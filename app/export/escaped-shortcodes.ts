import { replacePairs } from '#app/platform/text/replace-pairs.ts';

const open = /\{\{([<%])/g;
const close = /([>%])\}\}/g;
const escapedOpen = /\{\{([<%])\/\*/g;
const escapedClose = /\*\/([>%])\}\}/g;

/** Escapes what Hugo would expand as a shortcode, which it does in code blocks too. */
export function escapeShortcodes(text: string): string {
  return replacePairs(
    text,
    open,
    () => close,
    ([start], inner, [end]) => `${start}/*${inner}*/${end}`,
  );
}

/** Undoes `escapeShortcodes`. */
export function unescapeShortcodes(text: string): string {
  return replacePairs(
    text,
    escapedOpen,
    () => escapedClose,
    ([, start], inner, [, end]) => `{{${start}${inner}${end}}}`,
  );
}
