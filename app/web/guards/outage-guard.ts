import { stat } from 'node:fs/promises';
import type { App } from '#app/app.ts';
import { probeDatabase } from '#app/platform/database/probe.server.ts';
import { isOnReadOnlyDisk } from '#app/platform/files/read-only-disk.server.ts';

const PROBE_MS = 2_000;
/** Milliseconds between two probes while the database is down. */
const AGAIN_MS = 1_000;
/**
 * How often the file is checked: a restored copy has the same name and another inode, and a disk that was read-only may be
 * writable again.
 */
const FILE_EVERY_MS = 2_000;

/** Knows whether the database is down, so that requests are answered at once instead of hanging one by one. */
export interface OutageGuard {
  isDown(): boolean;
  /**
   * Call it when a request failed or takes long. Probes the database until it answers. Resolves within seconds, once
   * `isDown` is up to date.
   */
  check(): Promise<void>;
  close(): void;
}

/**
 * @param onRecovery called each time the database answers again, before requests reach the database; its errors are
 *   logged
 */
export function createOutageGuard(
  app: Pick<App, 'db' | 'env' | 'log'>,
  onRecovery: () => Promise<void>,
): OutageGuard {
  const { database } = app.env;
  const place = database.dialect === 'sqlite' ? { file: database.file } : {};
  let down = false;
  let isReported = false;
  let closed = false;
  let probing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function probe(): Promise<void> {
    probing ??= ask().finally(() => (probing = undefined));
    return probing;
  }

  async function ask(): Promise<void> {
    const reason = await probeDatabase(database, PROBE_MS);
    if (closed) return;
    if (reason !== null) {
      // `down` may have been set before the reason was known.
      if (!isReported)
        app.log.error({ reason, ...place }, 'The database is down; pages answer 503 until it is back');
      down = isReported = true;
      timer = setTimeout(() => void probe(), AGAIN_MS).unref();
    } else if (down) {
      await reopen();
      down = isReported = false;
      app.log.info('The database is back');
    }
  }

  /** Opens connections again: those from before the outage may hang, or still use a replaced file. */
  async function reopen(): Promise<void> {
    try {
      if (database.dialect === 'sqlite') await app.db.$disconnect();
      await onRecovery();
    } catch (error) {
      app.log.error({ err: error }, 'Work that waited for the database failed');
    }
  }

  const watch = database.dialect === 'sqlite' ? watchFile(database.file, replaced) : undefined;

  function replaced(inode: number | undefined): void {
    if (down || closed) return;
    // Of a file that is gone, the probe logs that it cannot be opened.
    if (inode !== undefined)
      app.log.warn('The database file was replaced or is writable again; it is opened again');
    down = true;
    void probe();
  }

  return {
    isDown: () => down,
    check: () => (down || closed ? Promise.resolve() : probe()),
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(watch);
    },
  };
}

function watchFile(file: string, replaced: (inode: number | undefined) => void): NodeJS.Timeout {
  let seen: number | undefined;
  let wasReadOnly = false;
  const check = async () => {
    // A missing file is an outage too: writes to the deleted one would be lost.
    const inode = await stat(file).then(
      ({ ino }) => ino,
      () => undefined,
    );
    const isReadOnly = isOnReadOnlyDisk(file);
    if (seen !== undefined && (inode !== seen || (wasReadOnly && !isReadOnly))) replaced(inode);
    seen = inode;
    wasReadOnly = isReadOnly;
  };
  void check();
  return setInterval(() => void check(), FILE_EVERY_MS).unref();
}
