import type { RequestedAddress } from '#app/import/addresses/plan.server.ts';
import type { ContentSource, SourceEntry } from '#app/import/model/post.ts';
import type { SiteParts } from '#app/import/model/site-parts.ts';
import { openSource, type SiteFacts, type SourceOptions } from './open-source.server.ts';

/** What is sent to the thread of the import at a time: entries, characters of their texts, and time to read them. */
const BATCH_ENTRIES = 16;
const BATCH_CHARACTERS = 1_000_000;
const BATCH_MS = 1_000;

export interface OpenedSource {
  dialect: string | undefined;
  progress: { done: number; total: number };
}

/** The next entries of a source, and what is known when there are no more. */
export interface ReadEntries {
  entries: SourceEntry[];
  progress: { done: number; total: number };
  end: SourceEnd | null;
}

export interface SourceEnd {
  siteParts: SiteParts | undefined;
  notes: string[];
  isTruncated: boolean;
  endsInItem: boolean;
}

/**
 * The result of a task, or a request for addresses. The import answers it with `giveAddresses`, since only it has the
 * database.
 */
export type SourceReply<Result> = { result: Result } | { requested: RequestedAddress[] };

/** The tasks that open and read a source. A pool has one source, which is open until its thread ends. */
export function createSourceTasks() {
  let source: ContentSource | undefined;
  let entries: AsyncIterator<SourceEntry>;
  let step: Promise<unknown>;
  let answer: ((paths: string[]) => void) | undefined;
  let request: (requested: RequestedAddress[]) => void;

  const addresses = (requested: RequestedAddress[]) =>
    new Promise<string[]>((resolve) => {
      if (answer) throw new Error('Another request for addresses is not answered yet.');
      answer = resolve;
      request(requested);
    });
  /** Resolves with the result of the step, or with the addresses that the step requests first. */
  const reply = <Result>(): Promise<SourceReply<Result>> =>
    Promise.race([
      new Promise<SourceReply<Result>>((resolve) => {
        request = (requested) => resolve({ requested });
      }),
      step.then((result) => ({ result: result as Result })),
    ]);

  async function open(options: SourceOptions & SiteFacts): Promise<OpenedSource> {
    if (source) throw new Error('Another source is open.');
    source = await openSource(options, addresses);
    entries = source.items()[Symbol.asyncIterator]();
    return { dialect: source.dialect, progress: source.progress() };
  }

  async function read(): Promise<ReadEntries> {
    const batch: SourceEntry[] = [];
    const until = performance.now() + BATCH_MS;
    let characters = 0;
    let hasEnded = false;
    do {
      const { done, value } = await entries.next();
      if (done) hasEnded = true;
      else {
        batch.push(value);
        characters += 'post' in value ? value.post.body.length : 0;
      }
    } while (
      !hasEnded &&
      batch.length < BATCH_ENTRIES &&
      characters < BATCH_CHARACTERS &&
      performance.now() < until
    );
    return { entries: batch, progress: source!.progress(), end: hasEnded ? endOf(source!) : null };
  }

  return {
    openSource(options: SourceOptions & SiteFacts): Promise<SourceReply<OpenedSource>> {
      // In a later turn: `reply` must listen first.
      step = Promise.resolve().then(() => open(options));
      return reply();
    },
    readEntries(): Promise<SourceReply<ReadEntries>> {
      step = Promise.resolve().then(read);
      return reply();
    },
    giveAddresses<Result>(paths: string[]): Promise<SourceReply<Result>> {
      const next = reply<Result>();
      answer?.(paths);
      answer = undefined;
      return next;
    },
  };
}

function endOf(source: ContentSource): SourceEnd {
  return {
    siteParts: source.siteParts?.(),
    notes: source.notes?.() ?? [],
    isTruncated: source.isTruncated?.() ?? false,
    endsInItem: source.endsInItem?.() ?? false,
  };
}
