import { AppError, type ErrorCode, type FieldErrors } from './errors.ts';
import type { Runner, RunnerOptions, StartRunner } from './worker-runner.server.ts';

export interface WorkerPoolOptions extends RunnerOptions {
  /** `startThread` or `startProcess`; the words here say thread for both. */
  start: StartRunner;
  threads: number;
  /** Tasks that may wait for a thread; more are refused. */
  queue: number;
  /** How long a task may wait for a thread. */
  waitMs: number;
  /** How long a task may run; then its thread is ended. On a machine that is busy with others it gets more. */
  deadlineMs: number;
  /** A thread without work ends after this time and gives its memory back. */
  idleMs: number;
}

/** What a thread says: that it is ready, or how its task ended. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; fields: FieldErrors }
  | { kind: 'failed'; error: unknown };

/** A busy machine gives a task this many times its deadline at most. */
const MOST_DEADLINES = 6;

/** A task used up its time or its memory; its thread has been ended. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';
}

interface Task {
  input: unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  waiting?: NodeJS.Timeout;
}

/** Runs tasks in worker threads, which start with the first task. Tasks start in the order in which they came. */
export class WorkerPool {
  private readonly queue: Task[] = [];
  private readonly threads = new Set<Thread>();
  private readonly options: WorkerPoolOptions;

  constructor(options: WorkerPoolOptions) {
    this.options = options;
  }

  /**
   * Runs one task. Its input and its result are copied between the threads.
   * @throws AppError `unavailable` when too many tasks wait, this one waited too long, or its thread was killed;
   *   `TaskLimitError`; what the task throws
   */
  run(input: unknown): Promise<unknown> {
    if (this.queue.length >= this.options.queue) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const task: Task = { input, resolve, reject };
      task.waiting = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(task), 1);
        reject(busy());
      }, this.options.waitMs);
      this.queue.push(task);
      this.startNext();
    });
  }

  /** Starts a thread where none runs, so that the next task does not wait for that. */
  start(): void {
    if (this.threads.size === 0) this.addThread();
  }

  /** Ends all threads; tasks that are not done fail. */
  async close(): Promise<void> {
    for (const task of this.queue.splice(0)) {
      clearTimeout(task.waiting);
      task.reject(busy());
    }
    await Promise.all([...this.threads].map((thread) => thread.end(busy())));
  }

  private startNext(): void {
    const [task] = this.queue;
    if (!task) return;
    let thread = [...this.threads].find((candidate) => candidate.isFree);
    if (!thread && this.threads.size < this.options.threads) thread = this.addThread();
    if (!thread) return;
    this.queue.shift();
    clearTimeout(task.waiting);
    thread.work(task);
  }

  private addThread(): Thread {
    const thread = new Thread(this.options, {
      onFree: () => this.startNext(),
      onEnd: (ended) => {
        this.threads.delete(ended);
        this.startNext();
      },
    });
    this.threads.add(thread);
    return thread;
  }
}

class Thread {
  private readonly runner: Runner;
  private readonly options: WorkerPoolOptions;
  private readonly events: { onFree(): void; onEnd(thread: Thread): void };
  private task: Task | undefined;
  private isReady = false;
  private hasEnded = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions, events: Thread['events']) {
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
    this.runner.keepAlive(true);
    this.runner.send(task.input);
    if (this.isReady) this.startDeadline();
  }

  /** Ends the thread; its task fails with `reason`. */
  async end(reason: unknown): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.task?.reject(reason);
    // A busy thread ends at its next step; the next task does not wait for that.
    this.events.onEnd(this);
    await this.runner.end();
  }

  private receive(message: WorkerMessage): void {
    if (message.kind === 'ready') {
      // The time that a thread takes to start is not the task's.
      this.isReady = true;
      if (this.task) this.startDeadline();
      else this.rest();
      return;
    }
    const { task } = this;
    this.task = undefined;
    this.rest();
    if (message.kind === 'done') task?.resolve(message.value);
    else if (message.kind === 'failed') task?.reject(message.error);
    else task?.reject(new AppError(message.code, message.message, { fields: message.fields }));
    this.events.onFree();
  }

  /** A thread without work does not keep the process alive. */
  private rest(): void {
    clearTimeout(this.timer);
    this.runner.keepAlive(false);
    this.timer = setTimeout(() => void this.end(undefined), this.options.idleMs).unref();
  }

  private startDeadline(): void {
    clearTimeout(this.timer);
    const { deadlineMs } = this.options;
    const before = this.runner.processorMs();
    let deadlines = 0;
    const end = () => {
      deadlines += 1;
      // Less than half of the clock's time: others have the cores, and the text is not to blame.
      const isStarved = this.runner.processorMs() - before < deadlineMs / 2;
      if (isStarved && deadlines < MOST_DEADLINES) this.timer = setTimeout(end, deadlineMs);
      else void this.end(new TaskLimitError(`Not done within ${deadlines * deadlineMs} ms`));
    };
    this.timer = setTimeout(end, deadlineMs);
  }
}

/** Somebody has killed the process, or the system for want of memory. The next task starts another. */
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
