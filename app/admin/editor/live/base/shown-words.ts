import { inlineDom } from './inline-dom.ts';

/**
 * Shows the words of a field as the page does, without their marks, until somebody types there. The style sheet puts them
 * over the field, which keeps its text.
 */
export function showMarks(frame: HTMLElement, words: string): void {
  if (frame.dataset.markdown === words) return;
  frame.dataset.markdown = words;
  const shown = inlineDom(words);
  const isMarked = shown.textContent !== words || shown.querySelector('*') !== null;
  frame.querySelector('.md-shown')?.remove();
  frame.classList.toggle('md-marked', isMarked);
  if (!isMarked) return;
  const box = document.createElement('span');
  box.className = 'md-shown';
  box.ariaHidden = 'true';
  box.dir = 'auto';
  box.append(shown);
  frame.append(box);
}

/** A frame around a one-line field that shows its words as the page does. */
export function framed(field: HTMLInputElement): HTMLElement {
  const frame = document.createElement('span');
  frame.className = 'md-words';
  frame.append(field);
  showMarks(frame, field.value);
  field.addEventListener('blur', () => showMarks(frame, field.value));
  return frame;
}
