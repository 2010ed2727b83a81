import { fork } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ErrorCode, FieldErrors } from '../errors.ts';
import type { Message } from '../message.ts';

/** A message of a worker: it is ready, or its task has ended. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: Message; fields: FieldErrors }
  | { kind: 'failed'; error: unknown };

/** A thread or process that runs the tasks of a pool one after the other. */
export interface Runner {
  send(input: unknown): void;
  /** Keeps this process alive while it runs. */
  ref(): void;
  /** Lets this process end while it runs. */
  unref(): void;
  /** An upper bound of the processor time that it has used, in milliseconds. */
  processorMs(): number;
  end(): Promise<unknown>;
}

export interface RunnerOptions {
  /** The file that it runs, which calls `answerTasks` (worker-tasks.server.ts). */
  file: string;
  /** Plain data for the file, which also gets the `priority` that it shall have, as `os.setPriority` takes it. */
  workerData: object;
  /** Added to the niceness of this process, for a lower priority. */
  niceness: number;
  limits: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb?: number };
}

interface RunnerEvents {
  onMessage(message: WorkerMessage): void;
  onOutOfMemory(): void;
  /** The runner ended without a call of `end()`. */
  onEnd(error?: Error): void;
}

export type StartRunner = (options: RunnerOptions, events: RunnerEvents) => Runner;

/** A thread of this process. */
export const startThread: StartRunner = ({ file, workerData, niceness, limits }, events) => {
  const worker = new Worker(file, {
    workerData: { ...workerData, priority: lowered(niceness) },
    resourceLimits: limits,
  });
  worker.on('message', events.onMessage);
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') events.onOutOfMemory();
    else events.onEnd(error);
  });
  worker.on('exit', () => events.onEnd());
  return {
    send: (input) => worker.postMessage(input),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    // Node 20 reports it only for all threads together.
    processorMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    end: () => worker.terminate(),
  };
};

/**
 * A process of its own. V8 compiles and collects garbage in helper threads that all threads of a process share. For
 * long work in a thread, these helpers would run with the priority of the thread that answers requests, and delay it.
 */
export const startProcess: StartRunner = ({ file, workerData, niceness, limits }, events) => {
  const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb = 32 } = limits;
  const priority = lowered(niceness);
  const child = fork(file, [JSON.stringify({ ...workerData, priority })], {
    execArgv: [
      ...process.execArgv,
      // On two cores V8's helper threads would take the second one, and readers would wait for it.
      '--single-threaded',
      `--max-old-space-size=${maxOldGenerationSizeMb}`,
      // V8 has three of these.
      `--max-semi-space-size=${Math.floor(maxYoungGenerationSizeMb / 3)}`,
    ],
    // By its path: a later build may have replaced the folder itself.
    cwd: process.cwd(),
    // Dates stay `Date` objects.
    serialization: 'advanced',
  });
  // The file can lower its priority only once Node has started, which takes 40 ms.
  if (child.pid !== undefined) setPriority(child.pid, priority);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.on('message', events.onMessage);
  child.on('error', events.onEnd);
  child.on('exit', (code, signal) => {
    if (signal === 'SIGABRT' || code === ABORTED) events.onOutOfMemory();
    else events.onEnd();
  });
  return {
    // A process that could not start has no channel, and one that was just killed takes nothing. An event reports the
    // reason.
    send: (input) => void (child.connected && child.send(input as object, () => {})),
    ref() {
      for (const handle of [child, child.channel]) handle?.ref();
    },
    unref() {
      for (const handle of [child, child.channel]) handle?.unref();
    },
    // The child's processor time is not known here. The time that has passed is an upper bound.
    processorMs: () => performance.now(),
    async end() {
      // Waits for the end, even when nothing else keeps this process alive.
      child.ref();
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    },
  };
};

/** Computed at each start: an operator may have changed the niceness of this process, and nobody may go below it. */
function lowered(niceness: number): number {
  return Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness);
}

/** The exit code that a shell reports for `SIGABRT`: V8 aborts a process whose heap is full. */
const ABORTED = 134;
