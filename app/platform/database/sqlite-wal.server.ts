import { open } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { whileBusy } from './sqlite-busy.server.ts';

/** Copies the write-ahead log of a SQLite file into the file, in another thread than that of the requests. */
export type Checkpoint = (file: string) => Promise<void>;

/** A checkpoint begins when this many pages of the log (4 KB each) are not yet in the file. SQLite's own default. */
const CHECKPOINT_PAGES = 1_000;
/** With this many pages, writers wait for the end of a checkpoint, so that the next writer restarts the log. */
const LONG_PAGES = 4_000;
/** With this many pages (64 MB) each commit makes a checkpoint itself, in case those of the other thread fail. */
const PAGES_MAX = 16_000;
/**
 * Page cache of the connection that writes, in KB. Pages that do not fit are written to the log during the transaction, all
 * others by `COMMIT`, which blocks the event loop.
 */
const CACHE_KB = 2_000;
/** After a transaction of this length, its data is flushed to the disk before its `COMMIT`. */
const LONG_MS = 100;

/** The answer of `PRAGMA wal_checkpoint`: pages in the log, and those of them that are in the file. */
interface LogState {
  log: number;
  checkpointed: number;
}

/** Keeps the `COMMIT`s of the connection that writes short, since they block the event loop. */
export class WriteAheadLog {
  readonly #client: BetterSqlite3.Database;
  readonly #file: string;
  readonly #checkpoint: Checkpoint | undefined;
  #isBusy = false;

  /** @param checkpoint without it, commits make checkpoints, as is SQLite's default */
  constructor(client: BetterSqlite3.Database, file: string, checkpoint?: Checkpoint) {
    this.#client = client;
    this.#file = file;
    this.#checkpoint = checkpoint;
    client.pragma(`cache_size = -${CACHE_KB}`);
    if (checkpoint) client.pragma(`wal_autocheckpoint = ${PAGES_MAX}`);
  }

  /**
   * Called before `COMMIT`, which waits until the log is on the disk. Flushing it first, asynchronously, leaves little to wait for.
   * @param began `performance.now()` at the start of the transaction
   */
  async flush(began: number): Promise<void> {
    if (!this.#checkpoint || performance.now() - began < LONG_MS) return;
    // POSIX locks of a process end when it closes any descriptor of the locked file. SQLite locks other files than this one.
    const file = await open(`${this.#file}-wal`, 'r').catch(() => null);
    await file?.datasync().catch(() => {});
    await file?.close();
  }

  /** Called after each commit: starts a checkpoint when the log is long. */
  committed(): void {
    if (!this.#checkpoint || this.#isBusy || this.#waitingPages() < CHECKPOINT_PAGES) return;
    this.#isBusy = true;
    const end = () => {
      this.#isBusy = false;
    };
    // After a failure the next commit starts another one. From `PAGES_MAX` on, commits make checkpoints themselves.
    this.#checkpoint(this.#file).then(end, end);
  }

  /** Takes 10 µs: reads the log's index, which is in memory. */
  #waitingPages(): number {
    if (!this.#client.open || this.#client.inTransaction) return 0;
    const [state] = this.#client.pragma('wal_checkpoint(NOOP)') as LogState[];
    return state!.log - state!.checkpointed;
  }
}

/**
 * Makes one checkpoint, in this thread. Writers continue meanwhile, except at the end of a checkpoint of a long log:
 * without a moment in which nobody writes, the log would never be restarted and would grow without limit.
 */
export async function checkpointSqlite(file: string): Promise<void> {
  const db = new BetterSqlite3(file, { fileMustExist: true, timeout: 0 });
  try {
    const [state] = await whileBusy(() => db.pragma('wal_checkpoint(PASSIVE)') as LogState[]);
    if (state!.log >= LONG_PAGES) await whileBusy(() => db.pragma('wal_checkpoint(RESTART)'));
  } finally {
    db.close();
  }
}
