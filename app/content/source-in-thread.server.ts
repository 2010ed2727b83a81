import type { SiteFacts, SourceOptions } from './open-source.server.ts';
import type { AddressPlanner } from './plan-addresses.server.ts';
import type {
  createSourceTasks,
  OpenedSource,
  ReadEntries,
  SourceEnd,
  SourceReply,
} from './source-tasks.server.ts';
import type { ContentSource } from './source-post.ts';

type TaskName = keyof ReturnType<typeof createSourceTasks>;

/** Calls a task in its thread. */
export type RunSourceTask = (name: TaskName, ...input: unknown[]) => Promise<unknown>;

/**
 * Opens a source in another thread, which reads the next entries while this one writes the last.
 * @throws AppError as `openSource`
 */
export async function openSourceInThread(
  run: RunSourceTask,
  options: SourceOptions & SiteFacts,
  addresses: AddressPlanner,
): Promise<ContentSource> {
  const call = async <Result>(name: TaskName, ...input: unknown[]): Promise<Result> => {
    let reply = (await run(name, ...input)) as SourceReply<Result>;
    while ('requested' in reply)
      reply = (await run('giveAddresses', await addresses(reply.requested))) as SourceReply<Result>;
    return reply.result;
  };
  const opened = await call<OpenedSource>('openSource', options);
  let { progress } = opened;
  let end: SourceEnd | null = null;
  return {
    dialect: opened.dialect,
    progress: () => progress,
    siteParts: () => end?.siteParts,
    notes: () => end?.notes ?? [],
    isTruncated: () => end?.isTruncated ?? false,
    endsInItem: () => end?.endsInItem ?? false,
    close: async () => void (await run('closeSource')),
    async *items() {
      let next: Promise<ReadEntries> | undefined = call<ReadEntries>('readEntries');
      while (next) {
        const read: ReadEntries = await next;
        ({ progress, end } = read);
        next = end ? undefined : call<ReadEntries>('readEntries');
        // The next entry reports a failure.
        next?.catch(() => undefined);
        yield* read.entries;
      }
    },
  };
}
