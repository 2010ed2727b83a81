import { setTimeout as sleep } from 'node:timers/promises';
import { startScript, type ScriptOptions } from './child-process.ts';
import { createClient, type Client } from './http-client.ts';
import { freePort } from './free-port.ts';
import { startArguments } from './package-scripts.ts';

export interface TestServer {
  /** Origin on loopback, without a trailing slash. */
  url: string;
  /** Its process. */
  pid: number;
  /** A new visitor: a client with its own cookies. */
  client(): Client;
  stdout(): string;
  stderr(): string;
  /** Sends the signal (SIGTERM) and waits for the end. @returns exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The limit for a server that hangs. One that ends is noticed at once. */
const START_WITHIN_MS = 120_000;

/**
 * Starts the built server as `npm start` does, on a free port, and waits until `/api/health` answers.
 * `tests/run.mjs` has made the build; after a change run `npm run build`.
 * @param options.env as `TestApp.variables`; `script` may name another server, `port` a port that is free
 */
export async function startServer(
  options: ScriptOptions & { script?: string; args?: string[]; port?: number } = {},
): Promise<TestServer> {
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = { AUTH_URL: url, ...options.env, PORT: String(port), HOST: '127.0.0.1' };
  const { script = startArguments.at(-1)!, args = [] } = options;
  const nodeOptions = options.nodeOptions ?? (options.script ? [] : startArguments.slice(0, -1));
  const server = startScript(script, args, { ...options, env, nodeOptions });
  const started = performance.now();
  let over = false;
  void server.ended.then(() => (over = true));
  while (!(await isHealthy(url))) {
    if (over || performance.now() - started > START_WITHIN_MS) {
      server.child.kill('SIGKILL');
      throw new Error(`The server did not start.\n${server.stdout()}${server.stderr()}`);
    }
    await sleep(50);
  }
  return {
    url,
    pid: server.child.pid!,
    client: () => createClient(url),
    stdout: server.stdout,
    stderr: server.stderr,
    stop(signal = 'SIGTERM') {
      server.child.kill(signal);
      return server.ended;
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  const answer = await createClient(url)
    .get('/api/health')
    .catch(() => undefined);
  return answer?.status === 200;
}
