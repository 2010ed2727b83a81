import { connect } from 'node:net';
import type { Client, ClientConfig } from 'pg';

/** `pg` gives this error no code. */
const TIMED_OUT = 'Query read timeout';
const CANCEL_MS = 2_000;
/** The code of a request to cancel a statement, in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;

/**
 * The class of the pool's clients. When a statement takes longer than `query_timeout`, it is cancelled and the
 * connection is closed. `pg` alone only stops waiting: the statement still runs or waits for a lock, a `ROLLBACK` that
 * waits behind it is never sent, and the next user of the connection commits what should have been rolled back.
 */
export async function limitedClient(): Promise<typeof Client> {
  const { default: pg } = await import('pg');
  return class LimitedClient extends pg.Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      const query = super.query.bind(this) as (...parameters: unknown[]) => unknown;
      const endIfLate = (error: unknown) => {
        if (!(error instanceof Error) || error.message !== TIMED_OUT) return;
        cancelStatement(this);
        // The pool drops a client that was ended. Not awaited, because a server that hangs never answers.
        void this.end().catch(() => {});
      };
      this.query = ((...parameters: unknown[]) => {
        // The pool's own `query`, for a statement outside a transaction, waits with a callback.
        const callback = parameters.at(-1);
        if (typeof callback === 'function')
          parameters[parameters.length - 1] = (error: unknown, result: unknown) => {
            endIfLate(error);
            (callback as (error: unknown, result: unknown) => void)(error, result);
          };
        const answer = query(...parameters);
        if (answer instanceof Promise) answer.catch(endIfLate);
        return answer;
      }) as typeof this.query;
    }
  };
}

/** Otherwise the statement would wait on without a reader, and occupy one of PostgreSQL's connections. */
function cancelStatement(client: Client): void {
  const { host, port } = client;
  const { processID, secretKey } = client as Client & Record<'processID' | 'secretKey', number | null>;
  // PgBouncer knows the connection by these numbers, too.
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(16);
  for (const [place, number] of [request.length, CANCEL_REQUEST, processID, secretKey].entries())
    request.writeInt32BE(number, 4 * place);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  // Without an answer the statement ends when it finds its connection closed.
  socket.on('error', () => {});
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  socket.end(request);
}
