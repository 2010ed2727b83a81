import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { type Message } from '#app/platform/message.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import { joinTags, splitTags, tagSeparator } from '#app/posts/fields/tag-names.ts';
import { isForInputMethod } from '#app/ui/input-method.ts';
import { useWords } from '#app/ui/words.ts';

const OFFERED = 6;

// Leaving the field makes a chip of what is typed, and the button would move away from under the pointer before its click.
const stayInField = { onMouseDown: (event: MouseEvent) => event.preventDefault() };

/** Tags as chips. Enter or a comma adds a tag, Backspace in the empty field removes the last one. */
export function TagChips({
  value,
  onChange,
  existing,
  text,
  errors,
}: {
  /** The form's value: names, separated by commas. */
  value: string;
  onChange: (value: string) => void;
  /** Names of existing tags. */
  existing: string[];
  /** Title and body. Existing tags that this text names are suggested. */
  text: string;
  errors: Message[] | undefined;
}) {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const tags = splitTags(value);
  const has = (name: string) => tags.some((tag) => isSame(tag, name));
  const set = (names: string[]) => onChange(joinTags(names));
  const add = (...names: string[]) => {
    const added = names.filter((name) => !has(name));
    if (added.length > 0) set([...tags, ...added]);
    setTyped('');
  };
  const addTyped = () => {
    const whole = existing.find((name) => isSame(name, typed));
    add(...(whole === undefined ? splitTags(typed) : [whole]));
  };
  const onKey = (event: KeyboardEvent) => {
    if (isForInputMethod(event.nativeEvent)) return;
    if (event.key === 'Enter' || tagSeparator.test(event.key)) addTyped();
    else if (event.key === 'Backspace' && typed === '') set(tags.slice(0, -1));
    else return;
    event.preventDefault();
  };
  const offered = existing.filter((name) => !has(name) && isNamed(name, text)).slice(0, OFFERED);
  return (
    <div className="field">
      <label htmlFor="publish-tags">{t('Tags')}</label>
      <div className="chips">
        {tags.map((name) => (
          <span key={name} className="chip">
            {name}
            <button
              type="button"
              {...stayInField}
              aria-label={t('Remove the tag {name}', { name })}
              onClick={() => set(tags.filter((tag) => tag !== name))}
            >
              ×
            </button>
          </span>
        ))}
        <input
          id="publish-tags"
          list="known-tags"
          autoComplete="off"
          placeholder={t('Add a tag')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKey}
          onBlur={addTyped}
          aria-invalid={errors ? true : undefined}
          aria-describedby={errors ? 'publish-tags-error' : undefined}
        />
      </div>
      {errors ? (
        <p className="field-error" id="publish-tags-error">
          {errors.map((error) => t.message(error)).join(' ')}
        </p>
      ) : null}
      {offered.length > 0 ? (
        <p className="row hint">
          {t.rich('Mentioned in the text:{offered}', {
            offered: offered.map((name) => (
              <button
                key={name}
                type="button"
                className="small"
                {...stayInField}
                onClick={() => add(...(isSame(typed, name) ? [] : splitTags(typed)), name)}
              >
                + {name}
              </button>
            )),
          })}
        </p>
      ) : null}
    </div>
  );
}

function isSame(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

/** True if a text contains the name as whole words. */
function isNamed(name: string, text: string): boolean {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}
