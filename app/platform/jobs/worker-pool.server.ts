import { fork } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, type FieldErrors, AppError } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';

/** A message of a worker: it is ready, or its task has ended. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: Message; fields: FieldErrors }
  | { kind: 'failed'; error: unknown };

/** A thread or process that runs the tasks of a pool one after the other. */
interface Runner {
  send(input: unknown): void;
  /** Keeps this process alive while it runs. */
  ref(): void;
  /** Lets this process end while it runs. */
  unref(): void;
  /** An upper bound of the processor time that it has used, in milliseconds. */
  processorMs(): number;
  end(): Promise<unknown>;
}

interface RunnerOptions {
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

export interface WorkerPoolOptions extends RunnerOptions {
  /** `startThread` or `startProcess`: what each worker is. */
  start: StartRunner;
  workers: number;
  /** Tasks that may wait for a worker; more are refused. */
  queue: number;
  /** How long a task may wait for a worker. */
  waitMs: number;
  /** How long a task may run unless its call says. Then its worker is ended, unless other processes use the cores. */
  deadlineMs: number;
  /** A worker without work ends after this time and gives its memory back. */
  idleMs: number;
}

/** A busy machine gives a task this many times its deadline at most. */
const DEADLINES_MAX = 6;

/** A task used up its time or its memory; its worker has been ended. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';
}

interface Task {
  input: unknown;
  deadlineMs: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  waiting?: NodeJS.Timeout;
}

/**
 * Runs tasks in worker threads or processes, which start with the first task. Tasks start in the order of the calls.
 */
export class WorkerPool {
  private readonly queue: Task[] = [];
  private readonly workers = new Set<PoolWorker>();
  private readonly options: WorkerPoolOptions;

  constructor(options: WorkerPoolOptions) {
    this.options = options;
  }

  /**
   * Runs one task. Its input and its result are copied.
   * @throws AppError `unavailable` when too many tasks wait, this one waited too long, or its worker was killed;
   *   `TaskLimitError`; what the task throws
   */
  run(input: unknown, deadlineMs = this.options.deadlineMs): Promise<unknown> {
    if (this.queue.length >= this.options.queue) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const task: Task = { input, deadlineMs, resolve, reject };
      task.waiting = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(task), 1);
        reject(busy());
      }, this.options.waitMs);
      this.queue.push(task);
      this.startNext();
    });
  }

  /** Ends all workers. Unfinished tasks fail. */
  async close(): Promise<void> {
    for (const task of this.queue.splice(0)) {
      clearTimeout(task.waiting);
      task.reject(busy());
    }
    await Promise.all([...this.workers].map((worker) => worker.end(busy())));
  }

  private startNext(): void {
    const [task] = this.queue;
    if (!task) return;
    let worker = [...this.workers].find((candidate) => candidate.isFree);
    if (!worker && this.workers.size < this.options.workers) worker = this.addWorker();
    if (!worker) return;
    this.queue.shift();
    clearTimeout(task.waiting);
    worker.work(task);
  }

  private addWorker(): PoolWorker {
    const worker = new PoolWorker(this.options, {
      onFree: () => this.startNext(),
      onEnd: (ended) => {
        this.workers.delete(ended);
        this.startNext();
      },
    });
    this.workers.add(worker);
    return worker;
  }
}

class PoolWorker {
  private readonly runner: Runner;
  private readonly options: WorkerPoolOptions;
  private readonly events: { onFree(): void; onEnd(worker: PoolWorker): void };
  private task: Task | undefined;
  private isReady = false;
  private hasEnded = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions, events: PoolWorker['events']) {
    this.options = options;
    this.events = events;
    this.runner = options.start(options, {
      onMessage: (message) => this.receive(message),
      onOutOfMemory: () => void this.end(new TaskLimitError('Out of memory')),
      onEnd: (error) => void this.end(error ?? interrupted()),
    });
  }

  get isFree(): boolean {
    return this.task === undefined && !this.hasEnded;
  }

  work(task: Task): void {
    this.task = task;
    this.runner.ref();
    this.runner.send(task.input);
    if (this.isReady) this.startDeadline(task);
  }

  /** Ends the worker; its task fails with `reason`. */
  async end(reason: unknown): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.task?.reject(reason);
    // A busy worker takes a moment to end. The next task does not wait for it.
    this.events.onEnd(this);
    await this.runner.end();
  }

  private receive(message: WorkerMessage): void {
    if (message.kind === 'ready') {
      // The deadline does not include the time that a worker takes to start.
      this.isReady = true;
      if (this.task) this.startDeadline(this.task);
      else this.becomeIdle();
      return;
    }
    const { task } = this;
    this.task = undefined;
    this.becomeIdle();
    if (message.kind === 'done') task?.resolve(message.value);
    else if (message.kind === 'failed') task?.reject(message.error);
    else task?.reject(new AppError(message.code, message.message, { fields: message.fields }));
    this.events.onFree();
  }

  /** A worker without work does not keep the process alive. */
  private becomeIdle(): void {
    clearTimeout(this.timer);
    this.runner.unref();
    this.timer = setTimeout(() => void this.end(undefined), this.options.idleMs).unref();
  }

  private startDeadline({ deadlineMs }: Task): void {
    clearTimeout(this.timer);
    const before = this.runner.processorMs();
    let deadlines = 0;
    const end = () => {
      deadlines += 1;
      // The worker got less than half of the time: other processes use the cores, and the task is not at fault.
      const isStarved = this.runner.processorMs() - before < deadlineMs / 2;
      if (isStarved && deadlines < DEADLINES_MAX) this.timer = setTimeout(end, deadlineMs);
      else void this.end(new TaskLimitError(`Not done within ${deadlines * deadlineMs} ms`));
    };
    this.timer = setTimeout(end, deadlineMs);
  }
}

/** The process was killed (often: out of memory). The next task starts a new one. */
function interrupted(): AppError {
  return new AppError('unavailable', 'The process that did this work was ended. Try again.', {
    retryAfter: 1,
  });
}

function busy(): AppError {
  return new AppError('unavailable', 'The server is busy with other work. Try again in a few seconds.', {
    retryAfter: 5,
  });
}
