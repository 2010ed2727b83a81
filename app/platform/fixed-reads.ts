import { LRUCache } from 'lru-cache';
import type { PageKey, RecordKeys } from './page-keys.ts';
import type { SharedReads } from './shared-reads.ts';

/** Values that are kept at most: names of authors, categories and tags, mostly. */
const VALUES_MAX = 2_000;

/** What the pages of a site share that never changes, such as the copy that shows it at an instant. */
export function createFixedReads(): SharedReads {
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

/** Keeps what is made of two values as long as they are kept themselves. */
export function createDerive(): SharedReads['derive'] {
  const derived = new WeakMap<object, WeakMap<object, Promise<unknown>>>();
  return <T>([one, other]: readonly [object, object], make: () => Promise<T>): Promise<T> => {
    let ofOne = derived.get(one);
    if (!ofOne) derived.set(one, (ofOne = new WeakMap()));
    const known = ofOne.get(other);
    if (known) return known as Promise<T>;
    const made = make();
    ofOne.set(other, made);
    made.catch(() => ofOne.delete(other));
    return made;
  };
}
