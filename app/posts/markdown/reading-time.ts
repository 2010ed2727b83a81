/** Words of English or characters of Chinese that people read in a minute, about. */
const PER_MINUTE = 230;

/** Whole minutes, at least 1. */
export function readingMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / PER_MINUTE));
}
