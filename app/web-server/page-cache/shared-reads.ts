import { createDerive, type SharedReads } from '#app/platform/shared-reads.ts';
import type { RecordKeys } from '#app/platform/page-keys.ts';
import { KeyedCache, type Keyed } from './keyed-cache.ts';
import type { ContentChanges } from './content-changes.ts';
import type { ContentWatch } from './content-watch.server.ts';

/** Values that are kept at most: names of authors, categories and tags, mostly. */
const VALUES_MAX = 5_000;

/** What pages share, in the memory of one server. */
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

/** The same for a request that the page cache does not answer: it asks for changes first, and only when it shares. */
export function sharedReadsFor(shared: SharedReads, watch: ContentWatch): SharedReads {
  let looked: Promise<boolean> | undefined;
  const look = async () => {
    try {
      await watch.version();
      return true;
    } catch {
      // Without the database there is nothing to share; the page itself says what is wrong.
      return false;
    }
  };
  return {
    async read<T>(name: string, read: (recordKeys: RecordKeys) => Promise<T>): Promise<Keyed<T>> {
      looked ??= look();
      if (await looked) return shared.read(name, read);
      return { value: await read(() => undefined), keys: [] };
    },
    derive: (parts, make) => shared.derive(parts, make),
  };
}
