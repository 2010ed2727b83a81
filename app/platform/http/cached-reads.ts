import { LRUCache } from 'lru-cache';
import type { PageKey, RecordKeys } from './page-keys.ts';
import { createDerive, type SharedReads } from './shared-reads.ts';

/** The largest number of cached values, mostly names of authors, categories and tags. */
const VALUES_MAX = 2_000;

/** The shared reads of a site that never changes, such as the copy at an instant. */
export function createCachedReads(): SharedReads {
  const values = new LRUCache<string, Promise<{ value: unknown; keys: readonly PageKey[] }>>({
    max: VALUES_MAX,
  });
  return {
    read<T>(name: string, read: (recordKeys: RecordKeys) => Promise<T>) {
      let made = values.get(name);
      if (!made) {
        made = read(() => undefined).then((value) => ({ value, keys: [] }));
        values.set(name, made);
        made.catch(() => values.delete(name));
      }
      return made as Promise<{ value: T; keys: readonly PageKey[] }>;
    },
    derive: createDerive(),
  };
}
