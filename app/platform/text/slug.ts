import { cutText } from './graphemes.ts';

export const SLUG_MAX = 200;

/**
 * A slug as the contract defines it: NFC, lower-case, letters and digits of any script (with the marks
 * that belong to them), every run of anything else becomes one `-`, none at the ends. `''` when nothing is left.
 */
export function toSlug(text: string): string {
  const slug = text
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(dotOnDot, '$1')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^[-\p{M}]+|-+$/gu, '');
  return cutText(slug, SLUG_MAX).replace(/-+$/, '');
}

/** True for a slug, also by earlier rules: addresses stay when a rule changes. */
export function isSlug(value: string): boolean {
  return value.length <= 4 * SLUG_MAX && /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u.test(value);
}

// Letters and marks that nobody sees or types: variation selectors, fillers.
const invisible = /(?=[\p{L}\p{N}\p{M}])\p{Default_Ignorable_Code_Point}/gu;
/** The dot that lower case adds to the one of the letter: `İ` becomes `i` and U+0307. */
const dotOnDot = /(\p{Soft_Dotted}[^\P{M}\u0307]*)\u0307+/gu;

/**
 * What two names have in common that are one for people: case, composition of letters and the width of spaces do not
 * count. Unlike slugs, “C” and “C++” differ.
 */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** The slug itself, or with `-2`, `-3`, … for the first one that is free; never over the length limit. */
export function freeSlug(preferred: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(preferred)) return preferred;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = cutText(preferred, SLUG_MAX - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}
