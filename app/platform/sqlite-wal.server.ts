import { open } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { whileBusy } from './sqlite-busy.server.ts';

/** Copies the write-ahead log of a SQLite file into the file, away from the thread that answers requests. */
export type Checkpoint = (file: string) => Promise<void>;

/** Pages of the log (4 KB) that are not yet in the file when a checkpoint begins: SQLite's own measure. */
const CHECKPOINT_PAGES = 1_000;
/** Pages of the log from which writers wait for the end of a checkpoint, so that the next one begins the log anew. */
const LONG_PAGES = 4_000;
/** Pages of the log from which each commit makes the checkpoint itself, where nobody else gets it done: 64 MB. */
const MOST_PAGES = 16_000;
/**
 * Memory of the connection that writes, in KB. Pages that do not fit go into the log during the transaction; all others go
 * in the turn of `COMMIT`.
 */
const CACHE_KB = 2_000;
/** A transaction of this length has written so much that its data goes to the disk before its `COMMIT`. */
const LONG_MS = 100;

/** As `wal_checkpoint` answers: pages of the log, and those of them that the file has. */
interface LogState {
  log: number;
  checkpointed: number;
}

/** The write-ahead log of the connection that writes. It keeps the turn of `COMMIT` short. */
export class WriteAheadLog {
  readonly #client: BetterSqlite3.Database;
  readonly #file: string;
  readonly #checkpoint: Checkpoint | undefined;
  #isBusy = false;

  /** @param checkpoint absent: commits make their checkpoints, as SQLite does by itself */
  constructor(client: BetterSqlite3.Database, file: string, checkpoint?: Checkpoint) {
    this.#client = client;
    this.#file = file;
    this.#checkpoint = checkpoint;
    client.pragma(`cache_size = -${CACHE_KB}`);
    if (checkpoint) client.pragma(`wal_autocheckpoint = ${MOST_PAGES}`);
  }

  /** Called before `COMMIT`, which waits for the disk: what lies there already costs it nothing. */
  async flush(began: number): Promise<void> {
    if (!this.#checkpoint || performance.now() - began < LONG_MS) return;
    // Safe beside SQLite's locks, which end when any descriptor of their file is closed: none is on this file.
    const file = await open(`${this.#file}-wal`, 'r').catch(() => null);
    await file?.datasync().catch(() => {});
    await file?.close();
  }

  /** Called after each commit: has a checkpoint made when the log is long. */
  committed(): void {
    if (!this.#checkpoint || this.#isBusy || this.#waitingPages() < CHECKPOINT_PAGES) return;
    this.#isBusy = true;
    const end = () => {
      this.#isBusy = false;
    };
    // One that fails is made after the next commit, and by the commits themselves once the log has `MOST_PAGES`.
    this.#checkpoint(this.#file).then(end, end);
  }

  /** Reads the log's index in memory: 10 µs. */
  #waitingPages(): number {
    if (!this.#client.open || this.#client.inTransaction) return 0;
    const [state] = this.#client.pragma('wal_checkpoint(NOOP)') as LogState[];
    return state!.log - state!.checkpointed;
  }
}

/**
 * Makes one checkpoint, in this thread. Nobody waits for it, but for the end of one of a long log: while others write all the
 * time, what they add to the log during the checkpoint would make it grow for ever.
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
