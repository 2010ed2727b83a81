import { useSite } from './use-site.ts';

/** A plain GET form. `compact`: the one in the header, which every page has once. */
export function SearchForm({ query = '', compact = false }: { query?: string; compact?: boolean }) {
  const { messages, prefix } = useSite();
  const { search } = messages;
  const id = compact ? 'site-search' : 'page-search';
  return (
    <form
      className={compact ? 'search search-compact' : 'search'}
      role="search"
      aria-label={compact ? search.label : search.placeholder}
      action={`${prefix}/search`}
    >
      <label className="sr-only" htmlFor={id}>
        {search.label}
      </label>
      <input
        id={id}
        type="search"
        name="q"
        defaultValue={query}
        placeholder={search.placeholder}
        maxLength={200}
        enterKeyHint="search"
      />
      {compact ? null : <button type="submit">{search.button}</button>}
    </form>
  );
}
