import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { pageUserHeader } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { Message } from '#app/platform/message.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import { joinTags, splitTags, tagSeparator } from '#app/posts/fields/tag-names.ts';
import { Choice, NamedOptions, TextField } from '#app/ui/field.tsx';
import { isForInputMethod } from '#app/ui/keys.ts';
import { useWords } from '#app/ui/words.ts';

interface Category {
  id: string;
  name: string;
}

/** The post's category, and a field that creates a category without leaving the panel. */
export function CategoryChoice({
  value,
  onChange,
  categories,
  onCreated,
  errors,
  adminContext,
}: {
  value: string;
  onChange: (id: string) => void;
  categories: Category[];
  onCreated: (category: Category) => void;
  errors: Message[] | undefined;
  adminContext: AdminContext;
}) {
  const t = useWords();
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = async () => {
    const trimmed = name!.trim();
    const existing = categories.find((category) => category.name.toLowerCase() === trimmed.toLowerCase());
    if (existing) onChange(existing.id);
    else {
      const created = await makeCategory(adminUrl(adminContext.adminPath, 'categories'), trimmed);
      if ('problem' in created) return setProblem(created.problem);
      onCreated({ id: created.id, name: trimmed });
    }
    setProblem(null);
    setName(null);
  };
  const mayMake = adminContext.screens.includes('categories');
  return (
    <>
      <Choice
        id="publish-category"
        name="category"
        label="Category"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        errors={errors}
      >
        <option value="">{t('None')}</option>
        <NamedOptions of={categories} />
      </Choice>
      {mayMake && name === null ? (
        <button type="button" className="small quiet" onClick={() => setName('')}>
          {t('New category')}
        </button>
      ) : null}
      {name === null ? null : (
        <div className="row new-category">
          <TextField
            id="publish-new-category"
            name="newCategory"
            label="Name of the new category"
            autoComplete="off"
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || isForInputMethod(event.nativeEvent)) return;
              event.preventDefault();
              void make();
            }}
            errors={problem === null ? undefined : [problem]}
          />
          <button type="button" onClick={() => void make()}>
            {t('Create category')}
          </button>
        </div>
      )}
    </>
  );
}

async function makeCategory(url: string, name: string): Promise<{ id: string } | { problem: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Accept: 'application/json', ...pageUserHeader() },
      body: new URLSearchParams({ intent: 'save', name }),
    });
    const { id, errors, error } = (await response.json()) as {
      id?: string;
      errors?: Record<string, string>;
      error?: { message: string } | null;
    };
    if (id) return { id };
    const [problem] = Object.values(errors ?? {});
    return { problem: problem ?? error?.message ?? 'The category could not be created.' };
  } catch {
    return { problem: 'The server cannot be reached.' };
  }
}

const OFFERED = 6;

// Leaving the field makes a chip of what is typed, and the button would move away from under the pointer before its click.
const stayInField = { onMouseDown: (event: MouseEvent) => event.preventDefault() };

interface TagChipsProps {
  /** The form's value: names, separated by commas. */
  value: string;
  onChange: (value: string) => void;
  existing: string[];
  /** Title and body. Existing tags that this text names are suggested. */
  text: string;
  errors: Message[] | undefined;
}

/** Tags as chips. Enter or a comma adds a tag, Backspace in the empty field removes the last one. */
export function TagChips({ value, onChange, existing, text, errors }: TagChipsProps) {
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
