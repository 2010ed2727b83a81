import type { PageTasks } from './page-tasks.ts';

/**
 * The tasks of worker threads and processes: work that takes more than 10 ms of processor time for one request. Each
 * worker loads only the tasks of its pool. Those of `pages` are elsewhere, since they import modules that import this.
 */
export const loadTasks = {
  async texts() {
    const { renderMarkdown } = await import('#app/posts/markdown/render.server.ts');
    const { mergeParagraphs } = await import('#app/posts/history/merge-paragraphs.ts');
    return {
      renderMarkdown,
      mergeParagraphs: async (...texts: Parameters<typeof mergeParagraphs>) => mergeParagraphs(...texts),
    };
  },
  async comparisons() {
    const { compareTexts } = await import('#app/posts/history/compare-texts.ts');
    const { comparePassages, mergeTexts } = await import('#app/posts/history/compare-passages.ts');
    return {
      compareTexts: async (before: string, after: string) => compareTexts(before, after),
      comparePassages: async (base: string | null, mine: string, theirs: string) =>
        comparePassages(base, mine, theirs),
      mergeTexts: async (base: string, mine: string, theirs: string) => mergeTexts(base, mine, theirs),
    };
  },
  async sites() {
    const { createSiteTasks } = await import('#app/time-travel/prepare-site.server.ts');
    return createSiteTasks();
  },
  async sources() {
    const { createSourceTasks } = await import('#app/import/run/source-tasks.server.ts');
    return createSourceTasks();
  },
  async checkpoints() {
    const { checkpointSqlite } = await import('#app/platform/database/sqlite-wal.server.ts');
    return { checkpointSqlite };
  },
};

type Loaders = typeof loadTasks & { pages(): Promise<PageTasks> };

export type PoolName = keyof Loaders;

type TasksOf<Pool extends PoolName> = Awaited<ReturnType<Loaders[Pool]>>;
type AnyTask = (...input: never) => Promise<unknown>;

/** A call of a task, as sent to a worker of the pool. */
export type TaskCall<Pool extends PoolName> = {
  [Name in keyof TasksOf<Pool>]: {
    name: Name;
    input: TasksOf<Pool>[Name] extends AnyTask ? Parameters<TasksOf<Pool>[Name]> : never;
  };
}[keyof TasksOf<Pool>];
