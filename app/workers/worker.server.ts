// What a worker thread runs; `build.mjs` bundles it, `bin/worker.mjs` starts it from source.
import { answerTasks } from '#app/platform/worker-tasks.server.ts';
import { runTask, type TaskCall } from './tasks.server.ts';

answerTasks((input) => runTask(input as TaskCall));
