import type { SiteParts } from './site-parts.ts';
import { openSource, type SiteFacts, type SourceOptions } from './open-source.server.ts';
import type { RequestedAddress } from './plan-addresses.server.ts';
import type { ContentSource, SourceEntry } from './source-post.ts';

/** Entries that are sent to the thread of the import at a time. */
const ENTRIES = 16;

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

/** The result of a task; or addresses that its thread cannot plan, since only the import has the database. */
export type SourceReply<Result> = { result: Result } | { requested: RequestedAddress[] };

/** Tasks that read one source after the other. */
export function createSourceTasks() {
  let source: ContentSource;
  let entries: AsyncIterator<SourceEntry>;
  let step: Promise<unknown>;
  let giveAddresses: (paths: string[]) => void;
  let request: (requested: RequestedAddress[]) => void;

  const addresses = (requested: RequestedAddress[]) =>
    new Promise<string[]>((resolve) => {
      giveAddresses = resolve;
      request(requested);
    });
  /** The end of the step, or addresses that it requests first. */
  const reply = <Result>(): Promise<SourceReply<Result>> =>
    Promise.race([
      new Promise<SourceReply<Result>>((resolve) => {
        request = (requested) => resolve({ requested });
      }),
      step.then((result) => ({ result: result as Result })),
    ]);

  async function open(options: SourceOptions & SiteFacts): Promise<OpenedSource> {
    source = await openSource(options, addresses);
    entries = source.items()[Symbol.asyncIterator]();
    return { dialect: source.dialect, progress: source.progress() };
  }

  async function read(): Promise<ReadEntries> {
    const some: SourceEntry[] = [];
    let hasEnded = false;
    while (some.length < ENTRIES && !hasEnded) {
      const { done, value } = await entries.next();
      if (done) hasEnded = true;
      else some.push(value);
    }
    return { entries: some, progress: source.progress(), end: hasEnded ? endOf(source) : null };
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
      giveAddresses(paths);
      return next;
    },
    closeSource: async () => void (await source.close?.()),
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
