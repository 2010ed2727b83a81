import { useSite } from '#app/site/shell/use-site.ts';

/** The number of tones in `covers.css`. */
const TONES = 4;

/** Replaces a missing cover beside posts that have one: the title's initial, in a tone of the palette. */
export function DrawnCover({ title, group }: { title: string; group: string }) {
  const { language } = useSite();
  const initial = /[\p{L}\p{N}]\p{M}*/u.exec(title)?.[0] ?? '';
  return (
    <span
      className={`cover cover-drawn tone-${toneOf(group)}`}
      data-initial={initial.toLocaleUpperCase(language)}
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
