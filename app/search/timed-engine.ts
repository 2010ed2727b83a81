import type { SearchEngine } from './engine.ts';

/** Told of each call: its name, how long it took, and whether it failed. */
type OnCall = (operation: string, seconds: number, failed: boolean) => void;

/** The same engine, with its calls for readers and editors measured. */
export function timedEngine(engine: SearchEngine, onCall: OnCall): SearchEngine {
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
        onCall(operation, (performance.now() - started) / 1000, failed);
      }
    };
  return {
    ...engine,
    upsert: timed('upsert', (documents, call) => engine.upsert(documents, call)),
    remove: timed('remove', (ids, call) => engine.remove(ids, call)),
    search: timed('search', (query, call) => engine.search(query, call)),
  };
}
