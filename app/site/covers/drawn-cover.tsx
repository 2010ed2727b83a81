/** The number of tones in `covers.css`. */
const TONES = 4;

/** Replaces a missing cover beside posts that have one: the title and the author, set in a tone of the palette. */
export function DrawnCover({ title, by = '', group }: { title: string; by?: string; group: string }) {
  return (
    <span
      className={`cover cover-drawn tone-${toneOf(group)}`}
      data-title={title}
      data-by={by || undefined}
      aria-hidden="true"
    />
  );
}

/** The same for the same text, such as a category's address. */
function toneOf(text: string): number {
  let sum = 0;
  for (const sign of text) sum += sign.codePointAt(0)!;
  return sum % TONES;
}
