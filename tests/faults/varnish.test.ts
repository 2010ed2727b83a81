// A real Varnish with xkey in front of three servers, 300 changes by all of them under load: two seconds after a change no
// byte from before it is sent, and nine of ten pages that it does not concern still come from the cache. Needs Debian's
// packages varnish and varnish-modules; without them it does not run.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createQuickAdministrator, logInAsAdministrator } from '#tests/support/backend.ts';
import { freePort } from '#tests/support/free-port.ts';
import { createClient, type Client } from '#tests/support/http-client.ts';
import { startServer } from '#tests/support/server.ts';
import { seededRandom } from '#tests/bench/random-posts.ts';

const CHANGES = 300;
const SERVERS = 3;
/** Posts that change, and others that nothing links with them. */
const [CHANGING, QUIET] = [12, 48];
const STALE_MS = 2_000;

let app: TestApp;
let port = 0;
let varnishUrl = '';
let reader: Client;
let isOver = false;
const quiet: string[] = [];
const changing: { id: string; slug: string; version: number; value: number }[] = [];
const figures = { checked: 0, stale: 0, unrelated: 0, hits: 0 };

const hasVarnish = !spawnSync('varnishd', ['-V']).error;
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

it.runIf(hasVarnish)(
  'a cache in front sends nothing stale and keeps the rest',
  { timeout: 300_000 },
  async () => {
    port = await freePort();
    varnishUrl = `http://127.0.0.1:${port}`;
    app = await createTestApp({ now: new Date(), variables: { OUTBOUND_ALLOW: '127.0.0.1' } });
    await changeSettings(app, {
      cache_keys: 'yes',
      purge_form: 'xkey',
      purge_url: varnishUrl,
      posts_per_page: '5',
    });
    await app.effects.close();
    for (let number = 0; number < QUIET; number += 1)
      quiet.push((await write(`Quiet ${number}`, 'Calm', number)).slug);
    for (let number = 0; number < CHANGING; number += 1)
      changing.push({
        ...(await write(`Busy ${number} v0`, 'Storm', QUIET + 1 + number)),
        version: 1,
        value: 0,
      });
    const servers = await Promise.all(
      Array.from({ length: SERVERS }, () => startServer({ env: { ...app.variables, LOG_LEVEL: 'error' } })),
    );
    const varnish = await startVarnish(servers.map(({ url }) => Number(new URL(url).port)));
    reader = createClient(varnishUrl);
    try {
      for (const slug of quiet) await reader.get(`/posts/${slug}`);
      const load = [1, 2].map((seed) => read(seededRandom(seed)));
      await createQuickAdministrator(app);
      const editors = await Promise.all(
        servers.map(async (server) => {
          const client = server.client();
          await logInAsAdministrator(app, client);
          return client;
        }),
      );
      const checks: Promise<void>[] = [];
      await Promise.all(editors.map((editor, index) => change(editor, index, checks)));
      await Promise.all(checks);
      isOver = true;
      await Promise.all(load);
    } finally {
      varnish.stop();
      for (const server of servers) await server.stop();
      await app.close();
    }
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.stale).toBe(0);
    expect(figures.hits / figures.unrelated).toBeGreaterThanOrEqual(0.9);
  },
);

async function write(title: string, tag: string, number: number) {
  const post = await createPost(app, {
    editorId: null,
    intent: 'publish',
    fields: {
      title,
      body: `Text of ${title}.`,
      excerpt: 'Excerpt.',
      tags: [tag],
      publishedAt: day(number + 1),
    },
  });
  const { slug } = await app.db.post.findUniqueOrThrow({ where: { id: post.id } });
  return { id: post.id, slug };
}

/** A third of the changes, through one server. Each post is changed by one editor alone. */
async function change(editor: Client, index: number, checks: Promise<void>[]): Promise<void> {
  const random = seededRandom(100 + index);
  const own = changing.filter((_, number) => number % SERVERS === index);
  for (let count = 0; count < CHANGES / SERVERS; count += 1) {
    const post = own[Math.floor(random() * own.length)]!;
    const value = post.value + 1;
    const title = `Busy ${changing.indexOf(post)} v${value}`;
    const { status } = await editor.post(`/admin/posts/${post.id}`, {
      ...{ version: String(post.version), intent: 'save', title, body: `Text of ${title}.` },
    });
    if (status !== 302) throw new Error(`The change was answered with ${status}.`);
    post.version += 1;
    post.value = value;
    checks.push(sleep(STALE_MS).then(() => look(post, value, random)));
    await sleep(random() * 200);
  }
}

async function look(post: (typeof changing)[number], value: number, random: () => number): Promise<void> {
  const number = changing.indexOf(post);
  for (const address of [`/posts/${post.slug}`, '/tags/storm']) {
    const { text } = await reader.get(address);
    const shown = Number(new RegExp(`Busy ${number} v(\\d+)`).exec(text)?.[1] ?? Infinity);
    figures.checked += 1;
    if (shown < value) figures.stale += 1;
  }
  // Not the newest quiet one, beside which a changing post is.
  const { headers } = await reader.get(`/posts/${quiet[Math.floor(random() * (QUIET - 1))]!}`);
  figures.unrelated += 1;
  if (headers['x-cache'] === 'HIT') figures.hits += 1;
}

/** A reader who goes on reading any page. */
async function read(random: () => number): Promise<void> {
  const all = [
    '/',
    '/archive',
    '/tags/storm',
    '/rss.xml',
    ...[...changing.map(({ slug }) => slug), ...quiet].map((slug) => `/posts/${slug}`),
  ];
  while (!isOver) {
    await reader.get(all[Math.floor(random() * all.length)]!);
    await sleep(5);
  }
}

async function startVarnish(ports: number[]): Promise<{ stop(): void }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-varnish-'));
  const backends = ports.map(
    (number, index) => `backend s${index} { .host = "127.0.0.1"; .port = "${number}"; }`,
  );
  await writeFile(
    path.join(folder, 'site.vcl'),
    `vcl 4.1;
import xkey;
import directors;
${backends.join('\n')}
sub vcl_init { new all = directors.round_robin(); ${ports.map((_, index) => `all.add_backend(s${index});`).join(' ')} }
sub vcl_recv {
  set req.backend_hint = all.backend();
  if (req.method == "PURGE") { return (synth(200, "Purged " + xkey.purge(req.http.xkey-purge))); }
  if (req.method == "GET") { return (hash); }
}
sub vcl_backend_response { set beresp.http.xkey = beresp.http.Surrogate-Key; }
sub vcl_deliver {
  if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } else { set resp.http.X-Cache = "MISS"; }
}
`,
  );
  const args = ['-F', '-j', 'none', '-n', path.join(folder, 'work'), '-a', `127.0.0.1:${port}`, '-T', 'none'];
  const own = [
    '-f',
    path.join(folder, 'site.vcl'),
    '-s',
    'malloc,64m',
    '-p',
    'vsl_space=8m',
    '-p',
    'default_ttl=0',
    '-p',
    'default_grace=0',
  ];
  const child = spawn('varnishd', [...args, ...own], { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}/api/health`;
  for (let tries = 0; tries < 300; tries += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    await sleep(100);
  }
  return {
    stop() {
      child.kill();
      void rm(folder, { recursive: true, force: true });
    },
  };
}
