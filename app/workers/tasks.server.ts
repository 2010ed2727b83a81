import type { PageTasks } from './page-tasks.ts';

/**
 * The tasks of worker threads and processes: work that takes more than 10 ms of processor time for one request. Each
 * worker loads only the tasks of its pool. `renderPage` of `sites` is elsewhere (app/web/worker.server.ts), since it
 * imports modules that import this.
 */
export const loadTasks = {
  async texts() {
    const { renderMarkdown } = await import('#app/posts/markdown/render.server.ts');
    const { mergeParagraphs } = await import('#app/posts/history/merge-paragraphs.ts');
    const { compareTexts } = await import('#app/posts/history/compare-texts.ts');
    const { comparePages } = await import('#app/posts/history/compare-pages.ts');
    const { comparePassages, mergeTexts } = await import('#app/posts/history/compare-passages.ts');
    return {
      renderMarkdown,
      mergeParagraphs: async (...texts: Parameters<typeof mergeParagraphs>) => mergeParagraphs(...texts),
      compareTexts: async (before: string, after: string) => compareTexts(before, after),
      comparePages: async (before: string, after: string) => comparePages(before, after),
      comparePassages: async (base: string | null, mine: string, theirs: string) =>
        comparePassages(base, mine, theirs),
      mergeTexts: async (base: string, mine: string, theirs: string) => mergeTexts(base, mine, theirs),
    };
  },
  async sites() {
    const { createSiteTasks } = await import('#app/time-travel/prepare-site.server.ts');
    return createSiteTasks();
  },
  async checkpoints() {
    const { checkpointSqlite } = await import('#app/platform/database/sqlite-wal.server.ts');
    return { checkpointSqlite };
  },
};

export type PoolName = keyof typeof loadTasks;

type Loaded<Pool extends PoolName> = Awaited<ReturnType<(typeof loadTasks)[Pool]>>;
type TasksOf<Pool extends PoolName> = Loaded<Pool> & (Pool extends 'sites' ? PageTasks : unknown);
type AnyTask = (...input: never) => Promise<unknown>;

/** A call of a task, as sent to a worker of the pool. */
export type TaskCall<Pool extends PoolName> = {
  [Name in keyof TasksOf<Pool>]: {
    name: Name;
    input: TasksOf<Pool>[Name] extends AnyTask ? Parameters<TasksOf<Pool>[Name]> : never;
  };
}[keyof TasksOf<Pool>];
