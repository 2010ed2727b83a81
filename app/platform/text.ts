import { z } from 'zod';

/**
 * Text from outside: line ends become LF, NUL and lone surrogates are refused (no database, XML or
 * UTF-8 file can hold them), length counts characters as people do (code points).
 * @param tidy makes what is stored of it; the length is that of the result
 */
export function text(max: number, label: string, tidy = (value: string) => value) {
  return z
    .string({
      error: ({ input }) => (input === undefined ? `${label} is required.` : `${label} must be text.`),
    })
    .refine(isStorable, { error: `${label} contains characters that cannot be stored.` })
    .transform((value) => tidy(value.replace(/\r\n?/g, '\n')))
    .refine((value) => value.length <= max || [...value].length <= max, {
      // Made when it is needed: the first number that is formatted costs every start of a command 20 ms.
      error: () => `${label} is too long: at most ${max.toLocaleString('en')} characters.`,
    });
}

/** One line of text: trimmed, inner line ends become spaces. */
export function line(max: number, label: string) {
  return text(max, label, (value) => value.replace(/\s*\n\s*/g, ' ').trim());
}

/** A line that must not be empty. */
export function requiredLine(max: number, label: string) {
  return line(max, label).refine((value) => value !== '', { error: `${label} is required.` });
}

/** True when every database and file format here can hold the text. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/**
 * The ways in which people write a word, for a database whose `contains` is case-sensitive: as it is, in lower case,
 * in upper case, and with a capital first.
 */
export function anySpelling(value: string): string[] {
  const lower = value.toLocaleLowerCase();
  const capitalised = lower.slice(0, 1).toLocaleUpperCase() + lower.slice(1);
  return [...new Set([value, lower, value.toLocaleUpperCase(), capitalised])];
}
