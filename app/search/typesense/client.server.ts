import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosAdapter } from 'axios';
import { Client } from 'typesense';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';

/** A connection to one or several Typesense nodes. */
export interface TypesenseConnection {
  /**
   * Makes calls that together end within `timeoutMs`, on whichever node answers. The limit also applies to imports, for
   * which the client itself has none.
   * @throws AppError with a reason for the operator; see `explain`
   */
  call<T>(timeoutMs: number, work: (client: Client) => Promise<T>): Promise<T>;
  close(): void;
}

/** An answer with a status that `call` does not turn into an AppError: 400, 404, 409, 413. */
export class TypesenseRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string, cause: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** Connects to the nodes, such as `http://localhost:8108`; nothing is sent before the first call. */
export function connectTypesense(nodes: string[], apiKey: string | undefined): TypesenseConnection {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const deadlines = new AsyncLocalStorage<{ endsAt: number; perNodeMs: number }>();
  const send = axios.getAdapter('http');
  const adapter: AxiosAdapter = (config) => {
    const { endsAt, perNodeMs } = deadlines.getStore() ?? { endsAt: 0, perNodeMs: 0 };
    const left = Math.min(perNodeMs, endsAt - performance.now());
    if (left <= 0) return Promise.reject(timedOut());
    return send({ ...config, timeout: 0, signal: AbortSignal.timeout(Math.ceil(left)) });
  };
  const client = new Client({
    nodes: nodes.map((url) => ({ url })),
    // The client requires a key. An engine without keys accepts any.
    apiKey: apiKey ?? 'none',
    numRetries: Math.max(1, nodes.length - 1),
    retryIntervalSeconds: 0.05,
    healthcheckIntervalSeconds: 15,
    axiosAdapter: adapter,
    httpAgent: agents.http,
    httpsAgent: agents.https,
    logLevel: 'silent',
  });
  const at = nodes.map((node) => new URL(node).host).join(', ');
  return {
    async call(timeoutMs, work) {
      // Each node gets a part of the time, so that one that hangs leaves time for the next.
      const budget = { endsAt: performance.now() + timeoutMs, perNodeMs: timeoutMs / nodes.length };
      try {
        return await deadlines.run(budget, () => work(client));
      } catch (error) {
        throw explain(error, timeoutMs, at);
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** @param at the nodes, for the operator */
function explain(error: unknown, timeoutMs: number, at: string): Error {
  if (isAppError(error) || error instanceof TypesenseRefusal) return error;
  const { httpStatus, code } = error as { httpStatus?: number; code?: string };
  const reason = messageOf(error).replace(/^Request failed with HTTP code \d+ \| Server said: /, '');
  if (httpStatus === 401 || httpStatus === 403)
    return new AppError('not_configured', 'Typesense refuses the key; check SEARCH_API_KEY.', {
      cause: error,
    });
  if (httpStatus !== undefined && isRetryableStatus(httpStatus))
    return unavailable(`Typesense is not ready: ${reason}`, error);
  if (httpStatus !== undefined) return new TypesenseRefusal(httpStatus, `Typesense: ${reason}`, error);
  if (code === 'ERR_CANCELED' || code === 'ETIMEDOUT')
    return unavailable(
      `Typesense did not answer at ${at} within ${(timeoutMs / 1000).toFixed(1)} s. Check that it runs, and SEARCH_HOST.`,
      error,
    );
  return unavailable(
    `Typesense does not answer at ${at} (${code ?? reason}). Check that it runs, and SEARCH_HOST.`,
    error,
  );
}

/**
 * True for a status that means "try again later": 422 from a node that is short of disk or memory or is starting up,
 * 429 from one that is overloaded.
 */
export function isRetryableStatus(status: number): boolean {
  return status === 422 || status === 429 || status >= 500;
}

function timedOut(): Error {
  return Object.assign(new Error('No time is left for another try'), { code: 'ETIMEDOUT' });
}

function unavailable(message: string, cause: unknown): AppError {
  return new AppError('unavailable', message, { cause });
}
