import { writeText } from '../text-source.ts';

/** The texts of a form by their names; of a repeated name the last, as the server reads them. */
export type FormFields = Record<string, string>;

/** The event that a form gets after a script has written values into it. */
export const VALUES_WRITTEN = 'valueswritten';

/** Fields that say how to save, and are no part of a post. */
const control = new Set(['intent', 'version', 'autosavedAt', 'id', 'copy']);

/** Every field of the form as it is on the screen. */
export function readFields(form: HTMLFormElement): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields[name] = value;
  return fields;
}

/** The fields that belong to the post. */
export function contentOf(fields: FormFields): FormFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !control.has(name)));
}

/** Puts a value into a field, whatever kind of control it is; a field that is not there is left out. */
export function writeField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLTextAreaElement) writeText(field, value);
  else if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
    field.checked = field.value === value;
  else if (
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof RadioNodeList
  )
    field.value = value;
}

export function writeFields(form: HTMLFormElement, fields: FormFields): void {
  for (const [name, value] of Object.entries(fields)) writeField(form, name, value);
}

/** As `writeField`, with the event that typing sends. */
export function setField(form: HTMLFormElement, name: string, value: string): void {
  writeField(form, name, value);
  const field = form.elements.namedItem(name);
  const control = field instanceof RadioNodeList ? field[0] : field;
  control?.dispatchEvent(new Event('input', { bubbles: true }));
}

/** True when both have the same value for every field of the second; line ends are ignored. */
export function sameContent(shown: FormFields, stored: FormFields): boolean {
  return Object.entries(stored).every(
    ([name, value]) => shown[name] === undefined || lines(shown[name]) === lines(value),
  );
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
