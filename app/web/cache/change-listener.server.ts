import { writerUrl } from '#app/platform/database/postgres-hosts.server.ts';
import { CONTENT_CHANNEL } from '#app/platform/http/page-keys.ts';

const CONNECT_MS = 5_000;
/** Waits between attempts to connect. The last one is repeated. */
const AGAIN_MS = [250, 1_000, 5_000, 15_000] as const;

/**
 * Listens on a PostgreSQL connection of its own for the content versions that changes announce. Connects again when the
 * connection breaks. Nothing depends on these hints, so failures are silent.
 * @param onHint gets the version; null after each connect, because versions may have been missed
 */
export function listenForChanges(url: string, onHint: (version: number | null) => void): { close(): void } {
  let isClosed = false;
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let disconnect = () => {};

  async function connect(): Promise<void> {
    const { default: pg } = await import('pg');
    const writer = await Promise.resolve(writerUrl(url)).catch(() => null);
    if (isClosed) return;
    if (writer === null) return connectLater();
    const client = new pg.Client({
      connectionString: writer,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
      application_name: 'dateline listener',
    });
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      // Not awaited, because a server that hangs never answers it.
      void client.end().catch(() => undefined);
      connectLater();
    };
    disconnect = end;
    client.on('error', end);
    client.on('end', end);
    client.on('notification', ({ payload }) => onHint(Number(payload) || null));
    try {
      await client.connect();
      await client.query(`LISTEN ${CONTENT_CHANNEL}`);
      attempts = 0;
      onHint(null);
    } catch {
      end();
    }
  }

  function connectLater(): void {
    if (isClosed) return;
    const wait = AGAIN_MS[Math.min(attempts, AGAIN_MS.length - 1)];
    attempts += 1;
    timer = setTimeout(() => void connect(), wait).unref();
  }

  void connect();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      disconnect();
    },
  };
}
