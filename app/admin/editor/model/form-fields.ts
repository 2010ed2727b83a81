import { useEffect, useState, type RefObject } from 'react';
import { PAGE_USER_FIELD } from '#app/admin/frame/page-user-field.tsx';
import { recordOf } from '#app/platform/narrow.ts';
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

export function readFields(form: HTMLFormElement): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields[name] = value;
  return fields;
}

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

/** Begins the names of the scheduled fields in the form that follows a conflict with the live text. */
export const SCHEDULED_FIELD = 'scheduled.';

/** The name of the field that says which version of a changed passage the result has. */
export function passageField(number: number): string {
  return `passage-${number}`;
}

/**
 * The current values of some fields of a form. Typing in other fields does not render anything. Without scripts they
 * are the values that the server rendered.
 */
export function useFormValues<Name extends string>(
  form: RefObject<HTMLFormElement | null>,
  names: readonly Name[],
  initial: Record<string, string>,
): Record<Name, string> {
  const [values, setValues] = useState(() => recordOf(names, (name) => initial[name] ?? ''));
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const ended = new AbortController();
    const read = () =>
      setValues(
        recordOf(names, (name) => {
          const field: unknown = element.elements.namedItem(name);
          return field !== null && typeof field === 'object' && 'value' in field ? String(field.value) : '';
        }),
      );
    const onInput = ({ target }: Event) => {
      if (target && 'name' in target && names.includes(target.name as Name)) read();
    };
    element.addEventListener('input', onInput, { signal: ended.signal });
    element.addEventListener(VALUES_WRITTEN, read, { signal: ended.signal });
    // The browser may have restored what was typed before a reload.
    read();
    return () => ended.abort();
  }, [form, names]);
  return values;
}
