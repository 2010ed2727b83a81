import { useEffect, useState, type RefObject } from 'react';
import { recordOf } from '#app/platform/narrow.ts';
import { VALUES_WRITTEN } from './form-fields.ts';

/**
 * The current values of some fields of a form. Typing in other fields does not render anything. Without scripts they
 * are the values that the server rendered.
 */
export function useFormValues<Name extends string>(
  form: RefObject<HTMLFormElement | null>,
  names: readonly Name[],
  initial: Record<string, string>,
): Record<Name, string> {
  const [values, setValues] = useState(() => pick(names, (name) => initial[name] ?? ''));
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const ended = new AbortController();
    const read = () =>
      setValues(
        pick(names, (name) => {
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

function pick<Name extends string>(
  names: readonly Name[],
  read: (name: Name) => string,
): Record<Name, string> {
  return recordOf(names, read);
}
