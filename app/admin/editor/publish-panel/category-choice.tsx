import { useState } from 'react';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { AdminContext } from '#app/admin/screen.ts';
import { Choice, NamedOptions, TextField } from '#app/ui/field.tsx';
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
  onMade,
  errors,
  adminContext,
}: {
  value: string;
  onChange: (id: string) => void;
  categories: Category[];
  onMade: (category: Category) => void;
  errors: string[] | undefined;
  adminContext: AdminContext;
}) {
  const t = useWords();
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = async () => {
    const wanted = name!.trim();
    const known = categories.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
    if (known) onChange(known.id);
    else {
      const made = await makeCategory(adminUrl(adminContext.adminPath, 'categories'), wanted);
      if ('problem' in made) return setProblem(made.problem);
      onMade({ id: made.id, name: wanted });
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
              if (event.key !== 'Enter') return;
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
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ intent: 'save', name }),
    });
    const answer = (await response.json()) as { id?: string; errors?: Record<string, string> };
    if (answer.id) return { id: answer.id };
    return { problem: Object.values(answer.errors ?? {})[0] ?? 'The category could not be created.' };
  } catch {
    return { problem: 'The server cannot be reached.' };
  }
}
