import type { Words } from '#app/ui/words.ts';
import type { Alignment } from './text.ts';

/** The choice of a column's alignment. */
export function alignmentChoice(t: Words, onChoose: (alignment: Alignment) => void): HTMLSelectElement {
  const choice = document.createElement('select');
  const name = t('Alignment of the column');
  choice.setAttribute('aria-label', name);
  const all: [Alignment, string][] = [
    ['', t('Default alignment')],
    ['left', t('Left')],
    ['center', t('Centered')],
    ['right', t('Right')],
  ];
  for (const [value, label] of all) choice.add(new Option(label, value));
  choice.onchange = () => onChoose(choice.value as Alignment);
  return choice;
}
