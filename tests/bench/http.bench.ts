// `npm run bench -- http`: how near the page cache comes to a bare Node server that sends the same bytes.
//   Hot: answers a second against the bare server (post pages at least 0.45, lists and feeds 0.35).
//   Cold: CPU of the first render of each page against the bare server's a request (at most 180 times).
//   Both with 1,000 and 10,000 posts (within 10 %), and the resident memory after it all (under 220 MB).
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { freePort } from '#tests/support/free-port.ts';
import { insertPublishedBlog } from '#tests/support/published-blog.ts';
import { prepareTemplate } from '#tests/support/template.ts';

const CONNECTIONS = 16;
const HOT_REQUESTS = 20_000;
const HOT_POSTS = 200;
const COLD_POSTS = 400;
const ROUNDS = 3;

const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-http-'));
const children = new Set<ChildProcess>();
try {
  const small = await measure(1_000);
  const large = await measure(10_000);
  for (const [name, ratio] of Object.entries(small.ratios))
    print(`${name}: 10,000 posts against 1,000 (0.9 to 1.1)`, (large.ratios[name]! / ratio).toFixed(2));
  print('cold render: 10,000 posts against 1,000 (0.9 to 1.1)', (large.coldCpu / small.coldCpu).toFixed(2));
} finally {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}

interface Measured {
  ratios: Record<string, number>;
  /** CPU milliseconds of a first render. */
  coldCpu: number;
}

async function measure(posts: number): Promise<Measured> {
  const variables = {
    DATABASE_URL: `file:${path.join(folder, `${posts}.db`)}`,
    SEARCH_HOST: `file:${path.join(folder, `${posts}.search.db`)}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    AUTH_URL: 'https://blog.example.org',
    LOG_LEVEL: 'error',
  };
  await mkdir(variables.UPLOADS_DIR, { recursive: true });
  await prepareTemplate(variables.DATABASE_URL);
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  const slugs = await insertPublishedBlog(app, posts);
  const server = await start('bin/start.mjs', [], { ...variables, HOST: '127.0.0.1' });
  const hotPosts = slugs.slice(0, HOT_POSTS).map((slug) => `/posts/${slug}`);
  const groups: [name: string, paths: string[], wanted: number][] = [
    ['post page', hotPosts, 0.45],
    ['home page', ['/'], 0.35],
    ['tag page', ['/tags/tag-1'], 0.35],
    ['feed', ['/rss.xml'], 0.35],
    ['sitemap', ['/sitemap.xml'], 0.35],
  ];
  for (const page of [...hotPosts, ...groups.flatMap(([, paths]) => paths)])
    await fetch(server.origin + page);

  const ratios: Record<string, number> = {};
  let bareCpu = 0;
  for (const encoding of ['identity', 'gzip'])
    for (const [name, paths, wanted] of groups) {
      const bare = await startBare(server.origin, paths, encoding);
      const label = `${name}, ${encoding}`;
      const rates = { ours: [] as number[], bare: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await cpuOf(bare.pid);
        rates.bare.push((await load(bare.origin, paths, encoding, HOT_REQUESTS)).rate);
        if (label === 'post page, identity') bareCpu = ((await cpuOf(bare.pid)) - before) / HOT_REQUESTS;
        rates.ours.push((await load(server.origin, paths, encoding, HOT_REQUESTS)).rate);
      }
      stop(bare);
      ratios[label] = Math.max(...rates.ours) / Math.max(...rates.bare);
      const figures = `${Math.max(...rates.ours).toFixed(0)} of ${Math.max(...rates.bare).toFixed(0)} a second`;
      print(`${posts} posts: ${label} (at least ${wanted})`, ratios[label].toFixed(2), figures);
    }

  // A change empties the cache; then each page is asked for once.
  await app.db.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
  const cold = slugs.slice(-COLD_POSTS).map((slug) => `/posts/${slug}`);
  await load(server.origin, cold.slice(0, 50), 'identity', 50);
  const before = await cpuOf(server.pid);
  await load(server.origin, cold.slice(50), 'identity', COLD_POSTS - 50);
  const coldCpu = ((await cpuOf(server.pid)) - before) / (COLD_POSTS - 50);
  print(
    `${posts} posts: CPU of a cold render (at most 180)`,
    (coldCpu / bareCpu).toFixed(0),
    `${coldCpu.toFixed(2)} ms`,
  );
  print(`${posts} posts: resident memory (under 220 MB)`, `${await residentMegabytes(server.pid)}`);
  stop(server);
  await closeApp(app);
  return { ratios, coldCpu };
}

interface Server {
  origin: string;
  pid: number;
  child: ChildProcess;
}

async function start(script: string, args: string[], env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [path.join(projectRoot, script), ...args.map((arg) => arg.replace('PORT', `${port}`))],
    {
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
  throw new Error(`${script} did not start.`);
}

/** A bare server with the very answers that ours gives, headers too. */
async function startBare(origin: string, paths: string[], encoding: string): Promise<Server> {
  const answers = await mkdtemp(path.join(folder, 'answers-'));
  for (const [index, page] of [...paths, '/'].entries()) {
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
    await writeFile(path.join(answers, `${index}.json`), JSON.stringify({ path: page, headers }));
    await writeFile(path.join(answers, `${index}.body`), body);
  }
  return start('tests/bench/http/bare-server.mjs', ['PORT', answers], {});
}

async function load(
  origin: string,
  paths: string[],
  encoding: string,
  requests: number,
): Promise<{ rate: number }> {
  const plan = path.join(folder, 'plan.json');
  await writeFile(plan, JSON.stringify({ paths, headers: { 'Accept-Encoding': encoding } }));
  const script = path.join(projectRoot, 'tests/bench/http/load.mjs');
  const text = await output(process.execPath, [script, origin, String(CONNECTIONS), String(requests), plan]);
  const result = JSON.parse(text.toString()) as { requests: number; seconds: number; bad: number };
  if (result.bad > 0) throw new Error(`${result.bad} of ${requests} answers of ${paths[0]} were not 200`);
  return { rate: result.requests / result.seconds };
}

async function output(command: string, args: string[]): Promise<Buffer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Milliseconds of CPU that a process has used. */
async function cpuOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

function stop({ child }: Server): void {
  children.delete(child);
  child.kill('SIGKILL');
}

function print(what: string, value: string, detail = ''): void {
  process.stdout.write(`${what.padEnd(62)}${value.padStart(8)}  ${detail}\n`);
}
