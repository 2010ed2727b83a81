// The entry of worker threads and processes. `build.mjs` bundles it; `bin/worker.mjs` starts it from source.
import { workerData } from 'node:worker_threads';
import { answerTasks, lowerPriority } from '#app/platform/jobs/worker-tasks.server.ts';
import { loadTasks, type PoolName } from '#app/workers/tasks.server.ts';

const { pool, priority } = (workerData ?? JSON.parse(process.argv[2]!)) as {
  pool: PoolName;
  priority: number;
};
lowerPriority(priority);
const load = {
  ...loadTasks,
  async sites() {
    const { createPageTasks } = await import('#app/web/pages/page-tasks.ts');
    return { ...(await loadTasks.sites()), ...(await createPageTasks()) };
  },
};
const tasks = (await load[pool]()) as Record<string, (...input: unknown[]) => Promise<unknown>>;

answerTasks((call) => {
  const { name, input } = call as { name: string; input: unknown[] };
  return tasks[name]!(...input);
});
