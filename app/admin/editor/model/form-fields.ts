import { PAGE_USER_FIELD } from '#app/admin/frame/page-user.ts';
import { writeText } from './text-source.ts';

/** The values of a form by name. Of a repeated name it has the last value, which the server uses too. */
export type FormFields = Record<string, string>;

/** The event that is sent to a form after a script has written values into it. */
export const VALUES_WRITTEN = 'valueswritten';

/** Fields that say how to save; the post does not contain them. */
const control = new Set([
  'intent',
  'version',
  'autosavedAt',
  'releaseText',
  'sent',
  'id',
  'copy',
  PAGE_USER_FIELD,
]);

/** The current value of every field of the form. */
export function readFields(form: HTMLFormElement): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields[name] = value;
  return fields;
}

/** The fields that belong to the post. */
export function contentOf(fields: FormFields): FormFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !control.has(name)));
}

/** Writes a value into a control of any kind. Ignores a name without a control. */
export function writeField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLTextAreaElement) writeText(field, value);
  else if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
    field.checked = field.value === value;
  else if (field instanceof HTMLSelectElement) choose(field, value);
  else if (field instanceof HTMLInputElement || field instanceof RadioNodeList) field.value = value;
}

// A choice that is gone, such as a deleted release, stays chosen: the server refuses it instead of saving elsewhere.
function choose(field: HTMLSelectElement, value: string): void {
  field.value = value;
  if (field.value === value) return;
  field.add(new Option(value, value));
  field.value = value;
}

export function writeFields(form: HTMLFormElement, fields: FormFields): void {
  for (const [name, value] of Object.entries(fields)) writeField(form, name, value);
}

/** Like `writeField`, and sends the event of typing. */
export function setField(form: HTMLFormElement, name: string, value: string): void {
  writeField(form, name, value);
  const field = form.elements.namedItem(name);
  const control = field instanceof RadioNodeList ? field[0] : field;
  control?.dispatchEvent(new Event('input', { bubbles: true }));
}

/** True when every field of `stored` has the same value in `shown`. Ignores line ends. */
export function sameContent(shown: FormFields, stored: FormFields): boolean {
  return Object.entries(stored).every(
    ([name, value]) => shown[name] === undefined || lines(shown[name]) === lines(value),
  );
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
