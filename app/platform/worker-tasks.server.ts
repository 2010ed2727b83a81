import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { isAppError } from './errors.ts';
import type { WorkerMessage } from './worker-pool.server.ts';

/**
 * Answers, in a worker thread, the tasks of its `WorkerPool` one after the other.
 * @param niceness of the thread: the thread that answers requests gets a core before it
 */
export function answerTasks(niceness: number, work: (input: unknown) => Promise<unknown>): void {
  const port = parentPort;
  if (!port) throw new Error('This file runs in a worker thread.');
  // On Linux a thread has a priority of its own; elsewhere this would change the whole process.
  if (process.platform === 'linux') setPriority(niceness);
  port.on('message', (input: unknown) => {
    work(input).then(
      (value) => port.postMessage({ kind: 'done', value } satisfies WorkerMessage),
      (error: unknown) => port.postMessage(asMessage(error)),
    );
  });
  port.postMessage({ kind: 'ready' } satisfies WorkerMessage);
}

function asMessage(error: unknown): WorkerMessage {
  if (!isAppError(error)) return { kind: 'failed', error };
  // An error that is copied between threads keeps only its message.
  const { code, message, fields } = error;
  return { kind: 'refused', code, message, fields };
}
