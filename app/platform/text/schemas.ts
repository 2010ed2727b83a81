import * as z from 'zod';
import { inEnglish, say, saying, type FilledText } from '#app/platform/message.ts';

/**
 * Text from outside: line ends become LF, NUL and lone surrogates are refused (no database, XML or UTF-8 file can hold
 * them), length counts characters as people do (code points).
 * @param tidy converts the text before it is stored; the limit applies to the result
 */
export function text(max: number, label: string, tidy = (value: string) => value) {
  return z
    .string({
      error: ({ input }) => (input === undefined ? `${label} is required.` : `${label} must be text.`),
    })
    .refine(isStorable, saying('{label} contains characters that cannot be stored.', { label: say(label) }))
    .transform((value) => tidy(value.replace(/\r\n?/g, '\n')))
    .refine((value) => value.length <= max || [...value].length <= max, {
      // Created on demand: formatting a first number takes 20 ms, which every start of a command would pay.
      error: () => inEnglish(tooLong(label, max)),
      params: {
        get said() {
          return tooLong(label, max);
        },
      },
    });
}

function tooLong(label: string, max: number): FilledText {
  const values = { label: say(label), max: max.toLocaleString('en') };
  return say('{label} is too long: at most {max} characters.', values);
}

/** One line of text: trimmed, inner line ends become spaces. */
export function line(max: number, label: string) {
  return text(max, label, (value) => value.replace(/\s*\n\s*/g, ' ').trim());
}

/** A line with at least one character that people see. */
export function requiredLine(max: number, label: string) {
  return line(max, label).refine(
    (value) => VISIBLE.test(value),
    saying('{label} is required.', { label: say(label) }),
  );
}

/** Any character but spaces, control characters and invisible ones such as a zero-width space. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** True when every database and file format here can hold the text. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** The text without the characters that some database or file format here cannot hold. */
export function toStorable(value: string): string {
  if (isStorable(value)) return value;
  const withoutNul = value.replaceAll('\0', '');
  // With this flag a pair is one character, so only lone surrogates match.
  return withoutNul.replace(/\p{Surrogate}/gu, '');
}

/**
 * The usual spellings of a word, for a database whose `contains` is case-sensitive: unchanged, in lower case, in upper
 * case, and with a capital first.
 */
export function anySpelling(value: string): string[] {
  const lower = value.toLocaleLowerCase();
  const capitalised = lower.slice(0, 1).toLocaleUpperCase() + lower.slice(1);
  return [...new Set([value, lower, value.toLocaleUpperCase(), capitalised])];
}

/** The address of a picture in the media library, or `''`. */
export const pictureAddress = (label: string) =>
  z
    .string()
    .trim()
    .regex(
      /^(|\/uploads\/(?!.*\.\.)[\w./-]{1,200})$/,
      `${label} must be the address of a picture in the media library, such as /uploads/2026/11/….png.`,
    );
