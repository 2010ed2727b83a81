import type { ViewProps } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import { sorts } from './list-address.ts';
import type { load } from './posts.server.ts';

type Data = ViewProps<typeof load>['data'];

/** The list's filters: a GET form, so that a filtered list has an address. */
export function Filters({ data, base }: { data: Data; base: string }) {
  const t = useWords();
  const { query, choices } = data;
  return (
    <form method="get" action={base} className="filters" role="search" aria-label={t('Filter posts')}>
      {query.status ? <input type="hidden" name="status" value={query.status} /> : null}
      <input
        type="search"
        name="q"
        aria-label={t('Search posts')}
        placeholder={t('Search posts')}
        defaultValue={query.q}
      />
      <div className="filters-more">
        <Select
          name="author"
          label={t('Author')}
          chosen={query.author}
          options={choices.authors.map(({ id, displayName }) => [id, displayName])}
        />
        <Select
          name="category"
          label={t('Category')}
          chosen={query.category}
          options={[
            ['none', 'Without a category'],
            ...choices.categories.map(({ id, name }): [string, string] => [id, name]),
          ]}
        />
        <Select
          name="tag"
          label={t('Tag')}
          chosen={query.tag}
          options={choices.tags.map(({ id, name }) => [id, name])}
        />
        <select name="sort" aria-label={t('Sort by')} defaultValue={query.sort ?? 'updated'}>
          {Object.entries(sorts).map(([name, { label }]) => (
            <option key={name} value={name}>
              {t(label)}
            </option>
          ))}
        </select>
        <button>{t('Filter')}</button>
        <a className="filters-clear" href={query.status ? `${base}?status=${query.status}` : base}>
          {t('Clear')}
        </a>
      </div>
    </form>
  );
}

function Select({
  name,
  label,
  chosen,
  options,
}: {
  name: string;
  label: string;
  chosen: string | undefined;
  options: [value: string, label: string][];
}) {
  const t = useWords();
  return (
    <select name={name} aria-label={label} defaultValue={chosen ?? ''}>
      <option value="">{t('{label}: any', { label })}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
