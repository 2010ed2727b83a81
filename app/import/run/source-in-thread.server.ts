import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import type { ContentSource } from '#app/import/model/post.ts';
import type { SiteFacts, SourceOptions } from './open-source.server.ts';
import type {
  createSourceTasks,
  OpenedSource,
  ReadEntries,
  SourceEnd,
  SourceReply,
} from './source-tasks.server.ts';

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
  let next: Promise<ReadEntries> | undefined;
  let isClosed = false;
  return {
    dialect: opened.dialect,
    progress: () => progress,
    siteParts: () => end?.siteParts,
    notes: () => end?.notes ?? [],
    isTruncated: () => end?.isTruncated ?? false,
    endsInItem: () => end?.endsInItem ?? false,
    async close() {
      isClosed = true;
      // What the thread still reads may fetch pictures.
      await next?.catch(() => undefined);
    },
    async *items() {
      next = call<ReadEntries>('readEntries');
      while (next) {
        const read: ReadEntries = await next;
        ({ progress, end } = read);
        next = end || isClosed ? undefined : call<ReadEntries>('readEntries');
        // The loop reports a failure when it awaits `next`.
        next?.catch(() => undefined);
        yield* read.entries;
      }
    },
  };
}
