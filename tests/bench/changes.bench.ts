// `npm run bench -- changes`: reading while something changes, on both databases, with 1,000 posts (`-- --large`: and 10,000).
//   1. Hits over 200 post pages at 16 connections beside saves and publications, against the calm slices between them.
//   2. 200 requests a second, whatever the answers: the 99th percentile of the wait, calm, beside a save a second and
//      beside an import of 500 posts.
// Editors save with the forms of the same server; the import is a command. Other work of the machine affects both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createClient, type Client } from '#tests/support/http-client.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { insertPublishedBlog } from '#tests/support/published-blog.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { runLoad, start, startReaders, stop, stopAll, type Server, type Waits } from './http/processes.ts';
import { report } from './report.ts';

const CONNECTIONS = 16;
const HOT_POSTS = 200;
/** Calm and changing slices in turn. */
const PAIRS = 5;
const SLICE = '3s';
const OPEN_RATE = 200;
const OPEN_SECONDS = 10;
const IMPORTED = 500;
const PARAGRAPH = 'The first boat comes in before the **light** does. You hear it before you see it.\n\n';

const sizes = process.argv.includes('--large') ? [1_000, 10_000] : [1_000];
const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-changes-'));
const postgres = await startPostgres();
try {
  for (const posts of sizes) {
    await measure(`SQLite, ${posts} posts`, posts, async (name) => `file:${path.join(folder, name)}.db`);
    await measure(`PostgreSQL, ${posts} posts`, posts, async (name) => {
      await postgres.createDatabase(name);
      return postgres.urlOf(name);
    });
  }
} finally {
  stopAll();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

interface Site {
  app: App;
  server: Server;
  editor: Client;
  /** Of the pages that are read. */
  paths: string[];
  variables: Record<string, string>;
}

async function measure(label: string, posts: number, newDatabase: (name: string) => Promise<string>) {
  const site = await startSite(posts, await newDatabase(`changes_${posts}`), label);
  try {
    for (const [name, perSecond, change, wanted] of [
      ['1 save a second', 1, save, 0.8],
      ['5 saves a second', 5, save, 0.6],
      ['1 publication a second', 1, publish, 0.8],
    ] as const)
      await measureHits(
        `${label}: hits beside ${name} to calm`,
        site,
        () => repeat(site, perSecond, change),
        wanted,
      );
    const calm = await openLoop(site);
    const detail = (p50: number) => `median ${p50.toFixed(1)}; calm p99 ${calm.p99.toFixed(1)}`;
    const changes = repeat(site, 1, save);
    const saving = await openLoop(site);
    await changes.stop();
    report(`${label}: p99 beside 1 save a second (ms)`, saving.p99, { atMost: 50 }, detail(saving.p50));
    const importing = await openLoopBeside(site, runImport(site, await writeImport()));
    report(
      `${label}: p99 beside an import of ${IMPORTED} (ms)`,
      importing.p99,
      { atMost: 100 },
      detail(importing.p50),
    );
  } finally {
    stop(site.server);
    await closeApp(site.app);
  }
}

async function startSite(posts: number, url: string, label: string): Promise<Site> {
  const place = path.join(folder, label.replace(/\W+/g, '-'));
  const variables = {
    DATABASE_URL: url,
    SEARCH_HOST: `file:${place}.search.db`,
    UPLOADS_DIR: path.join(place, 'uploads'),
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    AUTH_URL: 'http://localhost',
    LOG_LEVEL: 'error',
  };
  await mkdir(variables.UPLOADS_DIR, { recursive: true });
  await prepareTemplate(url);
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  const slugs = await insertPublishedBlog(app, posts);
  const login = { email: 'ada@example.org', password: 'a-long-password' };
  await createAdministrator(app, { ...login, username: 'ada', displayName: 'Ada' });
  const server = await start(startArguments, { ...variables, HOST: '127.0.0.1' });
  const editor = createClient(server.origin);
  expectRedirect(await editor.post('/admin/login', login));
  const paths = slugs.slice(0, HOT_POSTS).map((slug) => `/posts/${slug}`);
  return { app, server, editor, paths, variables };
}

async function measureHits(what: string, site: Site, begin: () => Changes, wanted: number): Promise<void> {
  const [calm, changing]: [number[], number[]] = [[], []];
  const slice = () =>
    runLoad({
      ...{ origin: site.server.origin, paths: site.paths, encoding: 'identity' },
      ...{ total: SLICE, connections: CONNECTIONS, folder },
    });
  await slice();
  for (let pair = 0; pair < PAIRS; pair += 1) {
    calm.push(await slice());
    const changes = begin();
    changing.push(await slice());
    await changes.stop();
  }
  const ratios = changing.map((rate, index) => rate / calm[index]!).sort((a, b) => a - b);
  const figures = `${median(changing).toFixed(0)} of ${median(calm).toFixed(0)} a second`;
  report(
    what,
    median(ratios),
    { atLeast: wanted },
    `${figures}; ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
  );
}

interface Changes {
  stop(): Promise<void>;
}

/** Makes changes at a steady rate until it is stopped. */
function repeat(
  site: Site,
  perSecond: number,
  change: (site: Site, number: number) => Promise<void>,
): Changes {
  let isOver = false;
  const all = (async () => {
    for (let number = 0; !isOver; number += 1) {
      const began = performance.now();
      await change(site, number);
      await sleep(Math.max(0, 1_000 / perSecond - (performance.now() - began)));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await all;
    },
  };
}

/** An editor saves the text of one of the pages that are read. */
async function save({ app, editor, paths }: Site, number: number): Promise<void> {
  const slug = paths[(number * 7) % paths.length]!.split('/').at(-1)!;
  const { id, version } = await app.db.post.findUniqueOrThrow({
    where: { slug },
    select: { id: true, version: true },
  });
  const fields = {
    version: String(version),
    body: `Saved at ${Date.now()}.\n\n${PARAGRAPH.repeat(20)}`,
    intent: 'save',
  };
  expectRedirect(await editor.post(`/admin/posts/${id}`, fields));
}

async function publish({ editor }: Site): Promise<void> {
  const fields = { title: `Published at ${Date.now()}`, body: PARAGRAPH.repeat(20), intent: 'publish' };
  expectRedirect(await editor.post('/admin/posts/new', fields));
}

function expectRedirect({ status, text }: { status: number; text: string }): void {
  if (status !== 302) throw new Error(`A form was answered with ${status}: ${text.slice(0, 500)}`);
}

function openLoop(site: Site): Promise<Waits> {
  return openLoopBeside(site, sleep(OPEN_SECONDS * 1_000));
}

/** The waits of readers until something has ended. */
async function openLoopBeside({ server, paths }: Site, work: Promise<unknown>): Promise<Waits> {
  const readers = await startReaders({ origin: server.origin, paths, rate: OPEN_RATE, folder });
  await work;
  return readers.stop();
}

async function writeImport(): Promise<string> {
  const input = await mkdtemp(path.join(folder, 'markdown-'));
  for (let number = 0; number < IMPORTED; number += 1)
    await writeFile(
      path.join(input, `imported-${number}.md`),
      `---\ntitle: Imported ${number}\ndate: 2020-01-0${1 + (number % 9)}\ntags: [Sea]\n---\n\n${PARAGRAPH.repeat(40)}`,
    );
  return input;
}

/** Imports Markdown files by the command. */
async function runImport({ variables }: Site, input: string): Promise<void> {
  const args = ['bin/run.mjs', 'content:import', '--from', 'markdown', '--input', input];
  const env = { ...process.env, NODE_ENV: 'production' as const, ...variables };
  const child = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The import ended with exit code ${code}.\n${errors}`);
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
