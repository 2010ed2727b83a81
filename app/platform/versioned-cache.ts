import { LRUCache } from 'lru-cache';

/** Values that are kept at most: names of authors, categories and tags, mostly. */
const VALUES_MAX = 5_000;

type Values = LRUCache<string, Promise<unknown>>;

const memories = new WeakMap<object, { contentVersion: number; values: Values }>();

/**
 * Reads what many public pages need once for all pages that are rendered of one content version.
 * @param app its database owns the memory; `app` itself may be a copy that belongs to one page
 * @param contentVersion undefined reads anew: the reader may see more than what is public, or no page cache is there
 * @param key the same for the same value, whoever asks
 */
export function sharedByVersion<T>(
  { db: owner }: { db: object },
  contentVersion: number | undefined,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  if (contentVersion === undefined) return read();
  const { values } = memoryOf(owner, contentVersion);
  const known = values.get(key);
  if (known) return known as Promise<T>;
  const value = read();
  values.set(key, value);
  value.catch(() => values.delete(key));
  return value;
}

function memoryOf(owner: object, contentVersion: number) {
  const last = memories.get(owner);
  if (last?.contentVersion === contentVersion) return last;
  const values: Values = new LRUCache({ max: VALUES_MAX });
  const memory = { contentVersion, values };
  memories.set(owner, memory);
  return memory;
}
