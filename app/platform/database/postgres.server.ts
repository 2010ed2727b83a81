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
async function limitedClient(): Promise<typeof Client> {
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

// Several hosts in one address, as libpq takes them:
// `postgresql://user@one:5432,two:5432/db?target_session_attrs=read-write`. The `pg` package knows one host only.

const PROBE_MS = 2_000;
/** Connections that are opened within this time share one search for the writer. */
const TRUSTED_MS = 1_000;

/** An address for each host that a `DATABASE_URL` names, in its order. */
export function hostUrls(url: string): string[] {
  const [, start, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (!hosts?.includes(',')) return [url];
  const path = rest!.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.split(',').map((host) => `${start}${host.trim()}${path}`);
}

interface Writer {
  url: string;
  foundAt: number;
}
const writers = new Map<string, Writer>();
const searches = new Map<string, Promise<string>>();

/**
 * The address of the host that takes writes now. A single host is returned without a check.
 * @throws the last host's error, when none takes writes
 */
export function writerUrl(url: string): string | Promise<string> {
  const candidates = hostUrls(url);
  if (candidates.length === 1) return candidates[0]!;
  const lastWriter = writers.get(url);
  if (lastWriter && performance.now() - lastWriter.foundAt < TRUSTED_MS) return lastWriter.url;
  let search = searches.get(url);
  if (!search) {
    search = findWriter(url, candidates, lastWriter?.url).finally(() => searches.delete(url));
    searches.set(url, search);
  }
  return search;
}

/** Prefers the last writer while it takes writes: a former primary that returns does not replace it. */
async function findWriter(url: string, candidates: string[], last: string | undefined): Promise<string> {
  const inOrder = candidates.toSorted((a, b) => Number(b === last) - Number(a === last));
  const probes = inOrder.map((candidate) => requireWriter(candidate));
  for (const probe of probes) probe.catch(() => undefined);
  let failure: unknown;
  for (const [index, probe] of probes.entries()) {
    try {
      await probe;
      writers.set(url, { url: inOrder[index]!, foundAt: performance.now() });
      return inOrder[index]!;
    } catch (error) {
      failure = error;
    }
  }
  writers.delete(url);
  throw failure;
}

async function requireWriter(url: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'dateline host check',
  });
  client.on('error', () => {}); // errors after the answer do not matter
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off')
      throw Object.assign(new Error(`${new URL(url).host} takes no writes`), { code: '25006' });
  } finally {
    // Does not await `end()`: a server that hangs never answers it.
    void client.end().catch(() => {});
  }
}

/** Options for a connection pool: with several hosts it finds the writer. */
export async function poolConfig(url: string): Promise<{ connectionString: string; Client: typeof Client }> {
  const [first, ...others] = hostUrls(url) as [string, ...string[]];
  const LimitedClient = await limitedClient();
  if (others.length === 0) return { connectionString: first, Client: LimitedClient };
  /** Asks for the writer each time before it connects. */
  class FollowingClient extends LimitedClient {
    constructor(config?: string | ClientConfig) {
      super(config);
      const connect = super.connect.bind(this) as (done: (error: Error | null) => void) => void;
      this.connect = ((done: (error: Error | null) => void) => {
        Promise.resolve(writerUrl(url)).then((writer) => {
          const { hostname, port } = new URL(writer);
          Object.assign(this, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) });
          connect(done);
        }, done);
      }) as typeof this.connect;
    }
  }
  return { connectionString: first, Client: FollowingClient };
}
