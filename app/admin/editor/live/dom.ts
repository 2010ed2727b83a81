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

/** A line of text inside the text: told when it is left, and at Enter. */
export function input(label: string, value: string, onChange: (value: string) => void): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'text';
  field.value = value;
  field.placeholder = label;
  field.setAttribute('aria-label', label);
  field.onchange = () => onChange(field.value.replace(/\s+/g, ' ').trim());
  field.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    field.blur();
  };
  return field;
}
