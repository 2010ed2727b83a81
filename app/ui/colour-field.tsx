// Separate from the other fields, which the editor's first code needs.
import { useRef, type FormEvent } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { useWords } from './words.ts';

/** The first colour of the browser's colour picker when the field is blank. */
const EXAMPLE = '#b3471d';

/** A field for a colour as six hexadecimal digits, or blank. With scripts, the browser's colour picker is beside it. */
export function ColourField({
  defaultValue,
  placeholder,
  ...field
}: FieldProps & { defaultValue: string; placeholder: string }) {
  const t = useWords();
  const text = useRef<HTMLInputElement>(null);
  const swatch = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    text.current!.value = currentTarget.value;
  };
  const show = ({ currentTarget: { value } }: FormEvent<HTMLInputElement>) => {
    if (/^#[0-9a-f]{6}$/i.test(value)) swatch.current!.value = value;
  };
  return (
    <Field {...field}>
      {(control) => (
        <span className="colour-field">
          <input
            {...control}
            ref={text}
            dir="ltr"
            placeholder={placeholder}
            defaultValue={defaultValue}
            onInput={show}
          />
          <input
            ref={swatch}
            type="color"
            className="with-scripts"
            aria-label={t('Pick a colour')}
            defaultValue={defaultValue || EXAMPLE}
            onInput={take}
          />
        </span>
      )}
    </Field>
  );
}
