const MAX = 1_000;

/** A source's excerpt, cut to the limit of a post, with a warning when it is cut. */
export function excerptOf(text: string, warnings: string[]): string {
  const characters = [...text.trim()];
  if (characters.length <= MAX) return characters.join('');
  warnings.push('The excerpt was cut to 1,000 characters.');
  return cut(characters, MAX);
}

/** The beginning of a text with `…` where something is missing. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : cut(characters, max);
}

function cut(characters: string[], max: number): string {
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`;
}
