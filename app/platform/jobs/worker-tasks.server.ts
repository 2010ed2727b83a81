import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { isAppError } from '#app/platform/errors.ts';
import type { WorkerMessage } from './worker-pool.server.ts';

/** Answers the tasks of a `WorkerPool` one after the other, in its worker thread or process. */
export function answerTasks(work: (input: unknown) => Promise<unknown>): void {
  const send = parentPort ? (message: WorkerMessage) => parentPort!.postMessage(message) : sendToParent();
  const answer = (input: unknown) =>
    void work(input).then(
      (value) => send({ kind: 'done', value }),
      (error: unknown) => send(asMessage(error)),
    );
  if (parentPort) parentPort.on('message', answer);
  else process.on('message', answer);
  send({ kind: 'ready' });
}

/**
 * Sends messages to the parent. The process ignores signals and ends with its parent, which first finishes its
 * requests.
 */
function sendToParent(): (message: WorkerMessage) => void {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  return (message) => void process.send!(message);
}

/**
 * Lowers the priority of this worker, so that the thread that answers requests gets a core first. A worker calls it
 * before it loads its code, which takes a second of processor time.
 * @param priority as `os.setPriority` takes it: a higher number gets less
 */
export function lowerPriority(priority: number): void {
  // On Linux each thread has a priority of its own, including those that V8 has already started in this process.
  if (process.platform === 'linux' && !parentPort)
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), priority);
  // On other systems a thread would change the priority of its whole process.
  else if (process.platform === 'linux' || !parentPort) setPriority(priority);
}

function asMessage(error: unknown): WorkerMessage {
  if (!isAppError(error)) return { kind: 'failed', error };
  // An error that is copied between threads keeps only its message.
  const { code, said: message, fields } = error;
  return { kind: 'refused', code, message, fields };
}
