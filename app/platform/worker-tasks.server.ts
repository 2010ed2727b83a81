import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { isAppError } from './errors.ts';
import type { WorkerMessage } from './worker-pool.server.ts';

/**
 * Answers, in a worker thread or process, the tasks of its `WorkerPool` one after the other.
 * @param niceness added to that of the process: the thread that answers requests gets a core before it
 */
export function answerTasks(niceness: number, work: (input: unknown) => Promise<unknown>): void {
  lowerPriority(niceness);
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

/** A process ends with its parent, and not before: the parent finishes its requests after a signal to both. */
function sendToParent(): (message: WorkerMessage) => void {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  return (message) => void process.send!(message);
}

function lowerPriority(niceness: number): void {
  // Added, since a process that an operator has made nice may take nothing of it back.
  const lowered = Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness);
  // On Linux each thread has a priority of its own, also those that V8 has started already in a process.
  if (process.platform === 'linux' && !parentPort)
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), lowered);
  // Elsewhere this would change the process of a thread.
  else if (process.platform === 'linux' || !parentPort) setPriority(lowered);
}

function asMessage(error: unknown): WorkerMessage {
  if (!isAppError(error)) return { kind: 'failed', error };
  // An error that is copied between threads keeps only its message.
  const { code, message, fields } = error;
  return { kind: 'refused', code, message, fields };
}
