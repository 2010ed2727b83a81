import type { PageKey } from '#app/platform/http/page-keys.ts';

interface Dependents {
  /**
   * The text of the key that all entries share. Before, each page had its own copy, which was most of the memory of a
   * page.
   */
  key: PageKey;
  /** Most keys belong to one page only, and a set costs as much as ten names. */
  names: string | Set<string>;
}

/** The entries of a cache that depend on each key. */
export class EntriesByKey {
  readonly #dependents = new Map<PageKey, Dependents>();

  /** Adds an entry. @returns the same keys, as the texts that all entries share */
  add(name: string, keys: readonly PageKey[]): PageKey[] {
    return keys.map((key) => {
      const known = this.#dependents.get(key);
      if (!known) {
        this.#dependents.set(key, { key, names: name });
        return key;
      }
      if (typeof known.names === 'string') known.names = new Set([known.names, name]);
      else known.names.add(name);
      return known.key;
    });
  }

  remove(name: string, keys: readonly PageKey[]): void {
    for (const key of keys) {
      const known = this.#dependents.get(key);
      if (!known) continue;
      if (typeof known.names === 'string') {
        if (known.names === name) this.#dependents.delete(key);
      } else if (known.names.delete(name) && known.names.size === 0) this.#dependents.delete(key);
    }
  }

  /** The present entries that depend on a key. */
  namesOf(key: PageKey): string[] {
    const names = this.#dependents.get(key)?.names ?? [];
    return typeof names === 'string' ? [names] : [...names];
  }

  clear(): void {
    this.#dependents.clear();
  }
}
