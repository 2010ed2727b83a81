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
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^[-\p{M}]+|-+$/gu, '');
  return [...slug].slice(0, SLUG_MAX).join('').replace(/-+$/, '');
}

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
    const candidate = [...preferred].slice(0, SLUG_MAX - suffix.length).join('') + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}
