import { isForInputMethod } from '#app/ui/input-method.ts';
import { showMarks } from './shown-words.ts';
import { isForPage } from './tools.ts';

/** A button inside the text. @param options.keepsFocus a click does not move the focus to it */
export function button(
  label: string,
  onClick: () => void,
  options: { name?: string; keepsFocus?: boolean } = {},
): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'small';
  element.textContent = label;
  if (options.name) {
    // The title is the name. With an `aria-label` too, screen readers would say the name twice.
    const sign = document.createElement('span');
    sign.setAttribute('aria-hidden', 'true');
    sign.textContent = label;
    element.replaceChildren(sign);
    element.title = options.name;
  }
  if (options.keepsFocus) element.onpointerdown = (event) => event.preventDefault();
  element.onclick = onClick;
  return element;
}

/** Shows a value in a field, unless somebody is typing there. */
export function showValue(field: HTMLInputElement, value: string): void {
  if (field === document.activeElement || field.value === value) return;
  field.value = value;
  const frame = field.parentElement;
  if (frame?.classList.contains('md-words')) showMarks(frame, value);
}

/**
 * A one-line field inside the text. Each change is written into the text at once, and the page's shortcuts still work.
 * @param onLast called after Esc, and after Enter in the last field of a block; elsewhere Enter moves to the next field
 */
export function input(
  label: string,
  value: string,
  { onChange, onLast }: { onChange: (value: string) => void; onLast: () => void },
): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'text';
  field.value = value;
  field.placeholder = label;
  field.setAttribute('aria-label', label);
  let last = value;
  const report = () => {
    const now = field.value.replace(/\s+/g, ' ').trim();
    if (now !== last) onChange(now);
    last = now;
  };
  field.onfocus = () => (last = field.value);
  field.oninput = (event: Event) => {
    if (!(event as InputEvent).isComposing) report();
  };
  field.addEventListener('compositionend', report);
  field.onchange = report;
  field.onkeydown = (event) => {
    if (!isForPage(event)) event.stopPropagation();
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') return onLast();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const block = field.closest('.md-figure, .md-gallery')!;
    const fields = [...block.querySelectorAll<HTMLInputElement>('input[type=text]:enabled')].filter((field) =>
      field.checkVisibility(),
    );
    const next = fields[fields.indexOf(field) + 1];
    if (next) next.focus();
    else onLast();
  };
  return field;
}
