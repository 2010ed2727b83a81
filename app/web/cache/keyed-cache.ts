import { LRUCache } from 'lru-cache';
import type { PageKey, RecordKeys } from '#app/platform/http/page-keys.ts';
import { createDerive, type SharedReads } from '#app/platform/http/shared-reads.ts';
import type { Changed, ContentChanges, ContentWatch } from './content-changes.ts';

/** A value with the keys of the data from which it was made. */
interface Keyed<T> {
  value: T;
  keys: readonly PageKey[];
}

interface KeyedCacheOptions<T> {
  changes: ContentChanges;
  /** Limit for the sum of all `sizeOf`. */
  maxSize: number;
  sizeOf: (entry: Keyed<T>) => number;
}

interface Making<T> {
  /** The moment when it began to read; undefined while it waits for its turn. */
  began: number | undefined;
  result: Promise<Keyed<T>>;
}

/** The key of an entry that recorded none: any change removes it. */
const ANY_CHANGE: PageKey = '';

/**
 * Values made from public content, each cached until its data changes. Concurrent requests for a missing value share
 * one computation. A request after a change never gets a value that was read before the change.
 */
export class KeyedCache<T> {
  readonly #options: KeyedCacheOptions<T>;
  readonly #entries: LRUCache<string, Keyed<T>>;
  readonly #index = new EntriesByKey();
  readonly #making = new Map<string, Making<T>>();

  constructor(options: KeyedCacheOptions<T>) {
    this.#options = options;
    this.#entries = new LRUCache({
      maxSize: options.maxSize,
      sizeCalculation: (entry) => options.sizeOf(entry),
      dispose: (entry, name) => this.#index.remove(name, indexed(entry.keys)),
    });
    options.changes.onChange((changed) => this.#drop(changed));
  }

  /** Entries and the sum of their sizes. */
  get usage(): { entries: number; size: number } {
    return { entries: this.#entries.size, size: this.#entries.calculatedSize };
  }

  /** The cached value of that name, valid as of the last detected change. */
  get(name: string): T | undefined {
    return this.#entries.get(name)?.value;
  }

  has(name: string): boolean {
    return this.#entries.has(name) || this.#making.has(name);
  }

  /**
   * The cached entry, or a new one.
   * @param make calls `begin` right before it reads, records the keys of what it reads, and returns whether to cache
   *   the value
   */
  obtain(
    name: string,
    make: (begin: () => RecordKeys) => Promise<{ value: T; keep: boolean }>,
  ): Promise<Keyed<T>> {
    const cached = this.#entries.get(name);
    if (cached) return Promise.resolve(cached);
    const running = this.#making.get(name);
    const { moment } = this.#options.changes;
    if (running && (running.began === undefined || running.began >= moment)) return running.result;
    const making: Making<T> = { began: undefined, result: undefined as never };
    making.result = this.#make(name, making, make).finally(() => {
      if (this.#making.get(name) === making) this.#making.delete(name);
    });
    this.#making.set(name, making);
    return making.result;
  }

  async #make(
    name: string,
    making: Making<T>,
    make: (begin: () => RecordKeys) => Promise<{ value: T; keep: boolean }>,
  ): Promise<Keyed<T>> {
    const { changes } = this.#options;
    const keys = new Set<PageKey>();
    const { value, keep } = await make(() => {
      making.began = changes.moment;
      return (...recorded) => {
        for (const key of recorded) keys.add(key);
      };
    });
    const entry: Keyed<T> = { value, keys: [...keys] };
    if (keep && making.began !== undefined && changes.isFresh(making.began, entry.keys)) {
      this.#entries.set(name, entry);
      // The cache rejects an entry that is too large.
      if (this.#entries.has(name)) {
        const shared = this.#index.add(name, indexed(entry.keys));
        if (keys.size > 0) entry.keys = shared;
      }
    }
    return entry;
  }

  #drop(changed: Changed): void {
    if (changed === 'everything') {
      this.#index.clear();
      this.#entries.clear();
      return;
    }
    for (const key of [...changed, ANY_CHANGE])
      for (const name of this.#index.namesOf(key)) this.#entries.delete(name);
  }
}

function indexed(keys: readonly PageKey[]): readonly PageKey[] {
  return keys.length === 0 ? [ANY_CHANGE] : keys;
}

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
class EntriesByKey {
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

/** The largest number of cached values, mostly names of authors, categories and tags. */
const VALUES_MAX = 5_000;

/** The shared reads of one server, in memory. */
export class SharedReadsInMemory implements SharedReads {
  readonly #values: KeyedCache<unknown>;
  readonly derive = createDerive();

  constructor(changes: ContentChanges) {
    this.#values = new KeyedCache({ changes, maxSize: VALUES_MAX, sizeOf: () => 1 });
  }

  read<T>(name: string, read: (recordKeys: RecordKeys) => Promise<T>): Promise<Keyed<T>> {
    const made = this.#values.obtain(name, async (begin) => ({ value: await read(begin()), keep: true }));
    return made as Promise<Keyed<T>>;
  }
}

/** The shared reads for a request that the page cache does not answer. Checks for changes before the first one. */
export function sharedReadsFor(shared: SharedReads, watch: ContentWatch): SharedReads {
  let checked: Promise<boolean> | undefined;
  const check = async () => {
    try {
      await watch.version();
      return true;
    } catch {
      // Without the database nothing is shared. The page itself reports the outage.
      return false;
    }
  };
  return {
    async read<T>(name: string, read: (recordKeys: RecordKeys) => Promise<T>): Promise<Keyed<T>> {
      checked ??= check();
      if (await checked) return shared.read(name, read);
      return { value: await read(() => undefined), keys: [] };
    },
    derive: (name, parts, make) => shared.derive(name, parts, make),
  };
}
