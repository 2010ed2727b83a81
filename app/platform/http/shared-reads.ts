import { LRUCache } from 'lru-cache';
import type { PageKey, RecordKeys } from './page-keys.ts';

/** Reads that pages of public content share, such as the frame and the names of authors and terms. */
export interface SharedReads {
  /**
   * The value of that name: the cached one as long as its data has not changed, else a new one.
   * @param read reports with `recordKeys` what it reads
   */
  read<T>(
    name: string,
    read: (recordKeys: RecordKeys) => Promise<T>,
  ): Promise<{ value: T; keys: readonly PageKey[] }>;
  /** The result of `make` for two shared values, cached under that name as long as they are. */
  derive<T>(name: string, parts: readonly [object, object], make: () => Promise<T>): Promise<T>;
}

interface Reader {
  recordKeys?: RecordKeys;
  sharedReads?: SharedReads;
}

/**
 * Reads what many public pages need once for all of them. Without `app.sharedReads` it reads each time: the reader may
 * see more than what is public, or there is no page cache.
 * @param name identifies the value: all callers that want it use the same name
 */
export async function readShared<Context extends Reader, T>(
  app: Context,
  name: string,
  read: (app: Context) => Promise<T>,
): Promise<T> {
  if (!app.sharedReads) return read(app);
  const { value, keys } = await app.sharedReads.read(name, (recordKeys) => read({ ...app, recordKeys }));
  app.recordKeys?.(...keys);
  return value;
}

/** Caches results of two values as long as the values are cached. */
export function createDerive(): SharedReads['derive'] {
  const derived = new WeakMap<object, WeakMap<object, Map<string, Promise<unknown>>>>();
  return <T>(
    name: string,
    [first, second]: readonly [object, object],
    make: () => Promise<T>,
  ): Promise<T> => {
    let ofFirst = derived.get(first);
    if (!ofFirst) derived.set(first, (ofFirst = new WeakMap()));
    let results = ofFirst.get(second);
    if (!results) ofFirst.set(second, (results = new Map()));
    const cached = results.get(name);
    if (cached) return cached as Promise<T>;
    const made = make();
    results.set(name, made);
    made.catch(() => results.delete(name));
    return made;
  };
}

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
