// `npm run bench -- growth [--posts 1000,10000,100000] [--large] [--database sqlite|postgresql] [--texts <folder>]`: what
// a first render costs as a blog grows, in milliseconds of the server's CPU, and as a ratio to the smallest blog, in turns.
//   1. Pages, feeds, backend, machine addresses, a trigger with nothing due and a save: at most 1.3 times; /tags and
//      /categories, with as many terms, at most 2.
//   2. A part of the sitemap of 50,000 addresses: at most 200 ms, also after one save.
//   3. Search at 10,000 posts, once V8 has compiled it: at most 8 ms for a new query, the page included, 0.2 for a
//      repeated one.
// `--large` adds 1,000,000 posts. `--texts`: a folder of Markdown posts whose beginnings are the posts' texts, over and
// over; without one, ../shared/data/rust-blog where that is there. Needs a build.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { EVERY_PAGE, type PageKey } from '#app/platform/http/page-keys.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { raiseContentVersion } from '#app/publishing/change/public-effects.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { freePort } from '#tests/support/free-port.ts';
import { createClient, type Client } from '#tests/support/http-client.ts';
import { insertLargeBlog, type LargeBlog } from '#tests/support/large-blog.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { cpuOf, median } from './cpu.ts';
import { report } from './report.ts';
import { measureSearches } from './search-pages.ts';

const ROUNDS = 16;
/** The first ones warm the server up. */
const COUNTED = 10;
/** Of a text; a million whole ones would fill the disk. */
const CHARACTERS = 4_000;
const SEARCHED = 10_000;
/** Time for a notification to arrive and to be followed. */
const NOTIFIED_MS = 100;
const CRON_SECRET = 'bench-cron-secret';
const administrator = {
  email: 'ada@example.org',
  username: 'ada',
  displayName: 'Ada',
  password: 'a-long-password',
};

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '1000,10000,100000' },
    large: { type: 'boolean', default: false },
    database: { type: 'string', default: 'sqlite' },
    texts: { type: 'string', default: path.join(projectRoot, '../shared/data/rust-blog') },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-growth-'));
const postgres = values.database === 'postgresql' ? await startPostgres() : undefined;
try {
  const sizes = [...values.posts.split(',').map(Number), ...(values.large ? [1_000_000] : [])];
  const texts = await readTexts(values.texts);
  const sites: Site[] = [];
  try {
    for (const posts of sizes) sites.push(await openSite(posts, texts));
    await measureKinds(sites);
    for (const site of sites) if (site.posts >= 50_000) await measureSitemap(site);
    for (const { origin, server, posts } of sites)
      if (posts === SEARCHED)
        await measureSearches({ origin, pid: server.pid! }, { posts, texts: texts.texts, folder });
  } finally {
    for (const { server, app } of sites) {
      server.kill('SIGKILL');
      await closeApp(app);
    }
  }
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

interface Site {
  posts: number;
  app: App;
  origin: string;
  server: ChildProcess;
  visitor: Client;
  admin: Client;
  blog: LargeBlog;
}

function limitOf(name: string, posts: number): number {
  if (posts >= 1_000_000) return 1.5;
  return name === 'tags' || name === 'categories' ? 2 : 1.3;
}

async function openSite(posts: number, texts: { titles: string[]; texts: string[] }): Promise<Site> {
  const variables: Record<string, string> = {
    DATABASE_URL: `file:${path.join(folder, `${posts}.db`)}`,
    SEARCH_HOST: `file:${path.join(folder, `${posts}.search.db`)}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    INTERNAL_CRON_SECRET: CRON_SECRET,
    LOG_LEVEL: 'error',
  };
  if (postgres) {
    await postgres.createDatabase(`growth_${posts}`);
    variables.DATABASE_URL = postgres.urlOf(`growth_${posts}`);
  }
  await mkdir(variables.UPLOADS_DIR!, { recursive: true });
  await prepareTemplate(variables.DATABASE_URL!);
  const env = parseEnv({ ...variables, AUTH_URL: 'http://127.0.0.1' }, 'server');
  const app = await createApp(env, { logTo: 'stderr', workers: 'inline' });
  await createAdministrator(app, administrator);
  const blog = await insertLargeBlog(app, { posts, ...texts });
  if (posts === SEARCHED) await reindexPosts(app, { batchSize: 200 });
  else await pretendIndex(app);
  const { server, origin } = await startServer(variables);
  const admin = createClient(origin);
  await admin.post('/admin/login', { email: administrator.email, password: administrator.password });
  return { posts, app, origin, server, visitor: createClient(origin), admin, blog };
}

async function startServer(
  variables: Record<string, string>,
): Promise<{ server: ChildProcess; origin: string }> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, startArguments, {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ...variables,
      AUTH_URL: origin,
      PORT: port,
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`${origin}/api/health`).catch(() => null);
    if (answer?.ok) return { server, origin };
    await sleep(100);
  }
  throw new Error('The server did not start.');
}

/** An empty index that triggers take for complete: `search.bench.ts` measures what it takes to fill one. */
async function pretendIndex(app: App): Promise<void> {
  await app.search.createIndex();
  const details = (await app.search.describe())!.id;
  await app.db.lease.create({ data: { name: 'search-drain', holder: '', expiresAt: new Date(0), details } });
}

/** All sizes take turns, so that other work of the machine affects each of them. */
async function measureKinds(sites: Site[]): Promise<void> {
  const asked = sites.map((site) => ({ site, kinds: kindsOf(site) }));
  const [smallest] = sites;
  for (const name of asked[0]!.kinds.keys()) {
    const turns = asked.map(({ site, kinds }) => ({ site, ask: kinds.get(name)!, costs: [] as number[] }));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { site, ask, costs } of turns) costs.push(await costOf(site, () => ask(round)));
      turns.reverse();
    }
    const costOfSite = new Map(turns.map(({ site, costs }) => [site, median(costs.slice(-COUNTED))]));
    const first = costOfSite.get(smallest!)!;
    report(`${smallest!.posts} posts: ${name}, ms of CPU`, first);
    for (const site of sites.slice(1)) {
      const milliseconds = costOfSite.get(site)!;
      const limit = { atMost: limitOf(name, site.posts) };
      const detail = `${milliseconds.toFixed(2)} ms`;
      report(`${name}: ${site.posts} posts to ${smallest!.posts}`, milliseconds / first, limit, detail);
    }
  }
}

function kindsOf(site: Site) {
  const { posts, blog, visitor, admin } = site;
  const page = (address: string) => async () => void (await expectOk(visitor, address));
  const screen = (address: string) => async () => void (await expectOk(admin, `/admin${address}`));
  const secret = { authorization: `Bearer ${CRON_SECRET}` };
  return new Map<string, (round: number) => Promise<void>>([
    ['post', (round) => page(`/posts/${blog.slugs[500 + round]}`)()],
    ['home', page('/')],
    ['author', page('/authors/writer-1')],
    ['tag', page('/tags/tag-3')],
    ['category', page('/categories/category-3')],
    ['archive', page('/archive')],
    ['archive, last page', page(`/archive?page=${Math.ceil(posts / 100)}`)],
    ['tags', page('/tags')],
    ['categories', page('/categories')],
    ['RSS', page('/rss.xml')],
    ["tag's feed", page('/tags/tag-3/rss.xml')],
    ['list of posts', screen('/posts')],
    ['dashboard', screen('')],
    ['readiness', page('/api/ready')],
    ['metrics', async () => void (await visitor.get('/api/internal/metrics', secret))],
    [
      'trigger, nothing due',
      async () => void (await visitor.post('/api/internal/posts/publish-scheduled', {}, secret)),
    ],
    ['save', (round) => save(site, blog.ids[600 + round]!)],
  ]);
}

/** Milliseconds of the server's CPU for one request, after a change that has emptied the page cache. */
async function costOf(site: Site, ask: () => Promise<void>): Promise<number> {
  await emptyPageCache(site);
  const before = await cpuOf(site.server.pid!);
  await ask();
  return (await cpuOf(site.server.pid!)) - before;
}

async function emptyPageCache({ app }: Site): Promise<void> {
  const everything = new Set<PageKey>([EVERY_PAGE]);
  await app.db.$transaction((tx) => raiseContentVersion(app, { tx, now: app.clock.now() }, everything));
  // On SQLite the next request sees it; on PostgreSQL a notification comes first, or the page would be a hit.
  if (postgres) await sleep(NOTIFIED_MS);
}

async function measureSitemap(site: Site): Promise<void> {
  const addresses = '/sitemaps/1.xml';
  const costs: number[] = [];
  for (let round = 0; round < COUNTED; round += 1) {
    if (round > 0) await save(site, site.blog.ids.at(-1 - round)!);
    const before = await cpuOf(site.server.pid!);
    // As crawlers ask.
    await expectOk(site.visitor, addresses, { 'accept-encoding': 'gzip' });
    costs.push((await cpuOf(site.server.pid!)) - before);
  }
  report(`${site.posts} posts: part of the sitemap, first, ms of CPU`, costs[0]!, { atMost: 200 });
  report(`${site.posts} posts: part of the sitemap after one save, ms of CPU`, median(costs.slice(1)), {
    atMost: 200,
  });
}

async function save({ app, admin }: Site, id: string): Promise<void> {
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id }, select: { version: true } });
  const body = `A new text of version ${version}.`;
  const answer = await admin.post(
    `/admin/posts/${id}`,
    { intent: 'save', version: String(version), body },
    { accept: 'application/json' },
  );
  if (answer.status !== 200)
    throw new Error(`A save was answered with ${answer.status}: ${answer.text.slice(0, 500)}`);
}

async function expectOk(client: Client, address: string, headers?: Record<string, string>): Promise<void> {
  const { status } = await client.get(address, headers);
  if (status !== 200) throw new Error(`${address} was answered with ${status}.`);
}

async function readTexts(from: string): Promise<{ titles: string[]; texts: string[] }> {
  const files = existsSync(from) ? readdirSync(from).filter((name) => name.endsWith('.md')) : [];
  if (files.length === 0) return { titles: ['Boats'], texts: ['<p>A boat came in.</p>\n'.repeat(100)] };
  const texts = [];
  for (const file of files) {
    const source = readFileSync(path.join(from, file), 'utf8').replace(/^---[\s\S]*?\n---\n/, '');
    texts.push((await renderMarkdown(source.slice(0, CHARACTERS))).html);
  }
  return { titles: files.map((name) => name.slice(0, -'.md'.length).replaceAll('-', ' ')), texts };
}
