import { cutText } from '#app/platform/text/graphemes.ts';

const MAX = 1_000;

/** A source's excerpt, cut to the limit of a post, with a warning when it is cut. */
export function excerptOf(text: string, warnings: string[]): string {
  const whole = text.trim();
  if ([...whole].length <= MAX) return whole;
  warnings.push('The excerpt was cut to 1,000 characters.');
  return cut(whole, MAX);
}

/** The beginning of a text with `…` where something is missing. */
export function shorten(text: string, max: number): string {
  return [...text].length <= max ? text : cut(text, max);
}

function cut(text: string, max: number): string {
  return `${cutText(text, max - 1).trimEnd()}…`;
}
