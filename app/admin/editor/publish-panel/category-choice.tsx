import { useState } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { pageUserHeader } from '#app/admin/frame/page-user.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { type Message } from '#app/platform/message.ts';
import { Choice, NamedOptions, TextField } from '#app/ui/field.tsx';
import { isForInputMethod } from '#app/ui/input-method.ts';
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
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
        ...pageUserHeader(),
      },
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
