import type { SearchEngine } from './engine.ts';

/** A call of the search engine that has ended. */
export interface SearchCall {
  /** Name of the engine's method. */
  operation: string;
  seconds: number;
  failed: boolean;
}

/** The same engine. Measures its calls for readers and editors. */
export function timedEngine(engine: SearchEngine, onCall: (call: SearchCall) => void): SearchEngine {
  const timed =
    <Arguments extends unknown[], T>(operation: string, call: (...args: Arguments) => Promise<T>) =>
    async (...args: Arguments): Promise<T> => {
      const started = performance.now();
      let failed = true;
      try {
        const value = await call(...args);
        failed = false;
        return value;
      } finally {
        onCall({ operation, seconds: (performance.now() - started) / 1000, failed });
      }
    };
  return {
    ...engine,
    upsert: timed('upsert', (documents, call) => engine.upsert(documents, call)),
    remove: timed('remove', (ids, call) => engine.remove(ids, call)),
    search: timed('search', (query, call) => engine.search(query, call)),
  };
}
