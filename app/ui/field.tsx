import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import type { FieldErrors } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';
import { restoreEarlyInput } from './early-input.ts';
import { useWords } from './words.ts';

export interface FieldProps {
  /** Needed if the page has several fields of this name. */
  id?: string;
  name: string;
  label: string;
  help?: ReactNode;
  errors?: Message[];
}

/**
 * A field's name with its value and errors: the values of a form that comes back, or else the one at the start.
 */
export const fieldOf =
  (form?: { values?: Readonly<Record<string, string | undefined>>; errors?: FieldErrors }) =>
  (name: string, start?: string) => ({
    name,
    defaultValue: form?.values?.[name] ?? start,
    errors: form?.errors?.[name],
  });

interface ControlProps {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  autoFocus?: true;
}

/**
 * A label with its control, help and errors, connected for screen readers, in the user's language.
 */
export function Field({
  name,
  id = `field-${name}`,
  label,
  help,
  errors,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const t = useWords();
  const helpId = help ? `${id}-help` : undefined;
  const errorId = errors?.length ? `${id}-error` : undefined;
  const describedBy = [errorId, helpId].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{t(label)}</label>
      {children({
        id,
        name,
        'aria-describedby': describedBy,
        'aria-invalid': errorId ? true : undefined,
        // Of several such fields a browser focuses the first: the page opens at the first error, even without a script.
        ...(errorId ? { autoFocus: true } : {}),
      })}
      {errorId ? (
        <p className="field-error" id={errorId}>
          {errors!.map((error) => t.message(error)).join(' ')}
        </p>
      ) : null}
      {helpId ? (
        <p className="field-help" id={helpId}>
          {typeof help === 'string' ? t(help) : help}
        </p>
      ) : null}
    </div>
  );
}

export function TextField({
  id,
  name,
  label,
  help,
  errors,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const dir = isText(input.type) ? 'auto' : undefined;
  return (
    <Field {...{ id, name, label, help, errors }}>
      {(control) => <input dir={dir} {...input} {...control} />}
    </Field>
  );
}

/** True for a field whose value has a direction of its own: an address in Arabic surroundings begins at the left. */
function isText(type = 'text'): boolean {
  return ['text', 'search', 'email', 'url'].includes(type);
}

export function TextArea({
  id,
  name,
  label,
  help,
  errors,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ id, name, label, help, errors }}>
      {(control) => <textarea dir="auto" ref={restoreEarlyInput} {...input} {...control} />}
    </Field>
  );
}

export function Choice({
  id,
  name,
  label,
  help,
  errors,
  children,
  ...input
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ id, name, label, help, errors }}>
      {(control) => (
        <select ref={restoreEarlyInput} {...input} {...control}>
          {children}
        </select>
      )}
    </Field>
  );
}

/** The options of a `Choice`, with their texts in the user's language. */
export function Options({ of }: { of: readonly (readonly [value: string, text: string])[] }) {
  return of.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

/** The options of a `Choice` among named things, such as categories. */
export function NamedOptions({ of }: { of: readonly { id: string; name: string }[] }) {
  return <Options of={of.map(({ id, name }) => [id, name])} />;
}
