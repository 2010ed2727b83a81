// Three servers with PostgreSQL, S3 and search of several addresses behind nginx, as docs/operations/examples has them.
import { Agent, request } from 'node:https';
import path from 'node:path';
import { expect } from 'vitest';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { runCommand } from './command.ts';
import { atFileEnd } from './file-end.ts';
import { freePort } from './free-port.ts';
import { startPostgres, type PostgresServer } from './postgres.ts';
import { startNginxBeforeHosts } from './proxies.ts';
import { hasRealS3, startRealS3 } from './s3/real-server.ts';
import { standInVariables, startS3StandIn } from './s3/stand-in.ts';
import { startServer, type TestServer } from './server.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { tempFolder } from './temp-folder.ts';
import { prepareTemplate } from './template.ts';
import { startTypesenseStandIn } from './typesense-stand-in.ts';

const closers: (() => unknown)[] = [];
atFileEnd(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A part that a test kills and starts again at the same address. */
export interface Part {
  kill(): unknown;
  startAgain(): unknown;
}

/** An answer of the balancer; status 0 if the connection broke. */
export interface BalancedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface Cluster {
  /** Reads what is stored; no server of its own. */
  app: App;
  postgres: PostgresServer;
  servers: TestServer[];
  /** The S3 server that holds the media. */
  bucket: Part;
  /** `changes` rises when the balancer stops and when it is back: an odd number while it is stopped. */
  balancer: Part & { changes: number };
  /** The proxies in front of the addresses of the search engine. */
  searchNodes: TcpProxy[];
  variables: Record<string, string>;
  /** Starts a server that has ended, at its old address. @param release folder of another built release */
  startAgain(index: number, release?: string): Promise<void>;
  /** A request through the balancer. */
  ask(
    method: string,
    path: string,
    options?: { cookie?: string; form?: Record<string, string> },
  ): Promise<BalancedAnswer>;
}

const HOSTS = 3;
const HOST_NAME = 'blog.example.org';

/**
 * Starts all of it; everything ends with the test file.
 * @param options.release folder of another built release, which makes the schema and serves
 */
export async function startCluster(options: { release?: string } = {}): Promise<Cluster> {
  const [postgres, s3, search] = await Promise.all([startPostgres(), startS3(), startTypesenseStandIn()]);
  closers.push(async () => {
    await s3.stop();
    await search.stop();
    await postgres.stop();
  });
  await postgres.createDatabase('dateline');
  const searchNodes = await Promise.all([1, 2, 3].map(() => startTcpProxy(Number(new URL(search.url).port))));
  closers.push(() => Promise.all(searchNodes.map((node) => node.stop())));
  const variables = {
    DATABASE_URL: postgres.urlOf('dateline'),
    SEARCH_HOST: searchNodes.map(({ port }) => `http://127.0.0.1:${port}`).join(','),
    SEARCH_API_KEY: search.apiKey,
    ...s3.variables,
    AUTH_SECRET: 'test-secret-of-more-than-32-characters',
    AUTH_URL: `https://${HOST_NAME}`,
    INTERNAL_CRON_SECRET: 'test-cron-secret',
    LOG_LEVEL: 'warn',
  };
  if (options.release === undefined) await prepareTemplate(variables.DATABASE_URL);
  else
    for (const step of ['db:migrate', 'db:seed'])
      expect(await runCommand([step], { folder: options.release, env: variables })).toMatchObject({
        code: 0,
      });
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr', workers: 'inline' });
  const ports = await Promise.all(Array.from({ length: HOSTS }, freePort));
  const startOne = (index: number, release = projectRoot) =>
    startServer({ env: variables, port: ports[index]!, script: path.join(release, 'bin/start.mjs') });
  const servers = await Promise.all(ports.map((_, index) => startOne(index, options.release)));
  const [port, plainPort] = [await freePort(), await freePort()];
  const hosts = ports.map((port) => `127.0.0.1:${port}`) as [string, string, string];
  const nginx = await startNginxBeforeHosts({ folder: await tempFolder(), port, plainPort }, hosts);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const toBalancer = askBalancer.bind(null, port, agent);
  const balancer = {
    changes: 0,
    kill() {
      balancer.changes += 1;
      return nginx.kill();
    },
    async startAgain() {
      nginx.startAgain();
      await expect.poll(async () => (await toBalancer('GET', '/api/health')).status).not.toBe(0);
      balancer.changes += 1;
    },
  };
  closers.push(async () => {
    agent.destroy();
    await nginx.kill();
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    await closeApp(app);
  });
  return {
    app,
    postgres,
    servers,
    bucket: { kill: s3.kill, startAgain: s3.startAgain },
    balancer,
    searchNodes,
    variables,
    async startAgain(index, release) {
      servers[index] = await startOne(index, release);
    },
    ask: toBalancer,
  };
}

async function startS3(): Promise<Part & { variables: Record<string, string>; stop(): Promise<unknown> }> {
  if (hasRealS3) {
    const real = await startRealS3();
    return { ...real, kill: real.stop };
  }
  const standIn = await startS3StandIn();
  const road = await startTcpProxy(Number(new URL(standIn.endpoint).port));
  return {
    variables: standInVariables({ ...standIn, endpoint: `http://127.0.0.1:${road.port}` }),
    kill: () => road.cut(),
    startAgain: () => road.mend(),
    stop: () => Promise.all([road.stop(), standIn.close()]),
  };
}

function askBalancer(
  port: number,
  agent: Agent,
  method: string,
  path: string,
  { cookie, form }: { cookie?: string; form?: Record<string, string> } = {},
): Promise<BalancedAnswer> {
  const sent = form && new URLSearchParams(form).toString();
  const headers = {
    host: HOST_NAME,
    ...(cookie && { cookie }),
    ...(sent !== undefined && {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(sent),
    }),
  };
  return new Promise((resolve) => {
    const broken = () => resolve({ status: 0, headers: {}, body: Buffer.alloc(0) });
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', broken);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode!, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', broken);
    outgoing.end(sent);
  });
}
