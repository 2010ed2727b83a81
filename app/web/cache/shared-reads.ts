import type { RecordKeys } from '#app/platform/http/page-keys.ts';
import { createDerive, type SharedReads } from '#app/platform/http/shared-reads.ts';
import type { ContentChanges, ContentWatch } from './content-changes.ts';
import { KeyedCache, type Keyed } from './keyed-cache.ts';

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
