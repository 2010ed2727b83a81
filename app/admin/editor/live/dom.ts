import { pageActionOf } from './tools.ts';

/** A button inside the text; it leaves the focus where it is when it is pressed with a pointer. */
export function button(
  label: string,
  onClick: () => void,
  options: { name?: string; keepsFocus?: boolean } = {},
): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'small';
  made.textContent = label;
  if (options.name) {
    made.setAttribute('aria-label', options.name);
    made.title = options.name;
  }
  if (options.keepsFocus) made.onpointerdown = (event) => event.preventDefault();
  made.onclick = onClick;
  return made;
}

/** Says what is in a field now, unless somebody types there. */
export function showValue(field: HTMLInputElement, value: string): void {
  if (field !== document.activeElement && field.value !== value) field.value = value;
}

/**
 * A line of text inside the text, which is in it as soon as it is typed. Shortcuts of the page still work in it.
 * @param onLast Enter leads to the next line of the same block; from the last one it does this
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
  const tell = () => {
    const now = field.value.replace(/\s+/g, ' ').trim();
    if (now !== last) onChange(now);
    last = now;
  };
  field.onfocus = () => (last = field.value);
  field.oninput = (event) => {
    if (!(event as InputEvent).isComposing) tell();
  };
  field.addEventListener('compositionend', tell);
  field.onchange = tell;
  field.onkeydown = (event) => {
    if (pageActionOf(event) === null) event.stopPropagation();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const block = field.closest('.md-figure, .md-gallery')!;
    const fields = [...block.querySelectorAll<HTMLInputElement>('input[type=text]:enabled')].filter((one) =>
      one.checkVisibility(),
    );
    const next = fields[fields.indexOf(field) + 1];
    if (next) next.focus();
    else onLast();
  };
  return field;
}
