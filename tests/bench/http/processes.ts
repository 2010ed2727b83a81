// Servers and loads of the benches, each in a process of its own.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '#app/platform/project.server.ts';
import { freePort } from '#tests/support/free-port.ts';

export interface Server {
  origin: string;
  pid: number;
  child: ChildProcess;
}

const children = new Set<ChildProcess>();

/** Starts a server and waits until it answers. `PORT` in an argument is its port. */
export async function start(args: string[], env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    args.map((arg) => arg.replace('PORT', `${port}`)),
    {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  children.add(child);
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (
      await fetch(origin, { method: 'OPTIONS' }).then(
        () => true,
        () => false,
      )
    )
      return { origin, pid: child.pid!, child };
    await sleep(100);
  }
  throw new Error(`${args.join(' ')} did not start.`);
}

/**
 * Starts the baseline: it sends what a server answers now at some paths, in some encodings.
 * @param folder where copies go
 */
export async function startBare({
  origin,
  paths,
  encodings,
  folder,
}: Pick<Load, 'origin' | 'paths' | 'folder'> & { encodings: readonly string[] }): Promise<Server> {
  const answers = await mkdtemp(path.join(folder, 'answers-'));
  const wanted = encodings.flatMap((encoding) => paths.map((page) => ({ encoding, page })));
  // `start` asks for the home page.
  wanted.push({ encoding: 'identity', page: '/' });
  for (const [index, { encoding, page }] of wanted.entries()) {
    const copy = path.join(answers, `${index}.copy`);
    const args = ['-s', '-D', copy, '-H', `Accept-Encoding: ${encoding}`, origin + page];
    const body = await output('curl', args);
    const lines = (await readFile(copy, 'utf8'))
      .split('\r\n')
      .slice(1)
      .filter((line) => line !== '');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    for (const name of ['Date', 'Connection', 'Keep-Alive']) delete headers[name];
    await writeFile(path.join(answers, `${index}.json`), JSON.stringify({ path: page, encoding, headers }));
    await writeFile(path.join(answers, `${index}.body`), body);
  }
  return start(['tests/bench/http/bare-server.mjs', 'PORT', answers], {});
}

export function stop({ child }: Pick<Server, 'child'>): void {
  children.delete(child);
  child.kill('SIGKILL');
}

/** Ends every server that still runs. */
export function stopAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

export interface Load {
  origin: string;
  paths: string[];
  encoding: string;
  /** A number of requests, or seconds such as `3s`. */
  total: number | `${number}s`;
  connections: number;
  /** Where its plan is written. */
  folder: string;
}

/** @returns answers a second @throws when an answer is not 200 */
export async function runLoad(load: Load): Promise<number> {
  const plan = path.join(load.folder, 'plan.json');
  await writeFile(plan, JSON.stringify({ paths: load.paths, headers: { 'Accept-Encoding': load.encoding } }));
  const script = path.join(projectRoot, 'tests/bench/http/load.mjs');
  const text = await output(process.execPath, [
    script,
    load.origin,
    `${load.connections}`,
    `${load.total}`,
    plan,
  ]);
  const result = JSON.parse(text.toString()) as { requests: number; seconds: number; bad: number };
  if (result.bad > 0) throw new Error(`${result.bad} answers of ${load.paths[0]} were not 200`);
  return result.requests / result.seconds;
}

/** What `open-loop.mjs` prints. */
export interface Waits {
  requests: number;
  bad: number;
  p50: number;
  p99: number;
  /** Of each reader, in milliseconds: when their request was due, in the time of `Date.now()`, and their wait. */
  visits: [due: number, wait: number][];
}

/** Readers allocate about 2 MB a second; with this much room, their garbage is collected about once a minute. */
const ROOMY = ['--max-semi-space-size=128', '--v8-pool-size=1'];

/** Whether this user may start a process that comes before all others. */
function mayComeFirst(): boolean {
  return spawnSync('chrt', ['--fifo', '10', 'true'], { stdio: 'ignore' }).status === 0;
}

/**
 * Starts readers in a process of their own: what the bench does itself holds none of them up. Where it may, this process
 * comes before all others, as if it were on another machine: only waits for the server count.
 * @param rate requests a second, whatever the answers
 * @param folder where the plan is written
 */
export async function startReaders({
  origin,
  paths,
  rate,
  folder,
}: {
  origin: string;
  paths: string[];
  rate: number;
  folder: string;
}): Promise<{
  /** @throws when one got no page */
  stop(): Promise<Waits>;
}> {
  const plan = path.join(folder, 'open.json');
  await writeFile(plan, JSON.stringify({ paths }));
  const script = path.join(projectRoot, 'tests/bench/http/open-loop.mjs');
  const node = [process.execPath, ...ROOMY, script, origin, `${rate}`, '600', plan];
  const [command, ...args] = mayComeFirst() ? ['chrt', '--fifo', '10', ...node] : node;
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close');
  return {
    async stop() {
      child.stdin.end();
      await ended;
      children.delete(child);
      const waits = JSON.parse(text) as Waits;
      if (waits.bad > 0) throw new Error(`${waits.bad} of ${waits.requests} readers got no page`);
      return waits;
    },
  };
}

/** What a command prints. */
export async function output(command: string, args: string[]): Promise<Buffer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
