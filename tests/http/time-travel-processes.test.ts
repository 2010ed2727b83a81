// The process that makes the site at an instant and renders its pages, as operators and the system treat them.
import { readFile, readdir } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SCRATCH_PREFIX } from '#app/time-travel/scratch-site.server.ts';
import { createSitePreview } from '#app/time-travel/site-previews.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { childrenOf } from '#tests/support/children-of.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const HOUR = 3_600_000;

let app: TestApp;
let server: TestServer;
let base: string;
beforeEach(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  await createPost(app, { title: 'Harbour', slug: 'harbour', status: 'published' });
  const { id: createdById } = await createUser(app);
  const instant = new Date(Date.now() + HOUR);
  const { path } = await createSitePreview(app, { instant, isShared: true, createdById });
  base = path.replace(/\/$/, '');
});
afterEach(async () => {
  await server.stop('SIGKILL');
  await app.close();
});

const get = (path: string) => server.client().get(base + path);

it.runIf(process.platform === 'linux')('it has the lowest priority, and ends with the server', async () => {
  expect(await childrenOf(server.pid)).toEqual([]);
  expect((await get('/')).status).toBe(200);
  const [child, ...others] = await childrenOf(server.pid);
  expect(others).toEqual([]);
  // Also the threads in which V8 works beside it.
  const threads = await readdir(`/proc/${child!}/task`);
  expect(threads.length).toBeGreaterThan(1);
  const lowest = Math.min(constants.priority.PRIORITY_LOW, getPriority() + 15);
  expect(new Set(threads.map((thread) => getPriority(Number(thread))))).toEqual(new Set([lowest]));
  await server.stop('SIGKILL');
  await expect.poll(() => stateOf(child!)).toMatch(/^(gone|Z)$/);
});

it.runIf(process.platform === 'linux')(
  'it ends with a server that is asked to stop, with their files',
  async () => {
    const folders = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith(`${SCRATCH_PREFIX}${server.pid}-`));
    expect((await get('/')).status).toBe(200);
    expect(await folders()).toHaveLength(1);
    const children = await childrenOf(server.pid);
    expect(children).toHaveLength(1);
    expect(await server.stop('SIGTERM')).toBe(0);
    for (const child of children) expect(await stateOf(child)).toMatch(/^(gone|Z)$/);
    expect(await folders()).toEqual([]);
  },
);

it.runIf(process.platform === 'linux')(
  'a page whose process is killed says that it has to wait, and the next one has another process',
  async () => {
    const { status, text } = await get('/posts/harbour');
    expect(status).toBe(200);
    const renderer = await siteProcess();
    process.kill(renderer, 'SIGSTOP');
    let isAnswered = false;
    const waiting = get('/posts/harbour').finally(() => (isAnswered = true));
    // Readers and files need no such process.
    expect((await server.client().get('/posts/harbour')).status).toBe(200);
    expect((await get('/uploads/2026/01/none.webp')).status).toBe(404);
    expect(isAnswered).toBe(false);
    process.kill(renderer, 'SIGKILL');
    const interrupted = await waiting;
    expect(interrupted).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' },
    });
    expect(interrupted.text).toContain('try again');
    expect(await get('/posts/harbour')).toMatchObject({ status: 200, text });
    expect(await siteProcess()).not.toBe(renderer);
    // Nobody waits for one that is killed between two pages: at most the page that comes at that moment.
    process.kill(await siteProcess(), 'SIGKILL');
    const statuses = [(await get('/')).status, (await get('/')).status];
    expect([200, 503]).toContain(statuses[0]);
    expect(statuses[1]).toBe(200);
  },
);

it('files, searches, feeds and unknown addresses are answered as readers get them', async () => {
  const visitor = server.client();
  expect((await get('/search?q=harbour')).text).toContain(`href="${base}/posts/harbour"`);
  for (const path of ['/posts/none', '/uploads/none.webp', '/admin', '/api/ready'])
    expect((await get(path)).status, path).toBe(404);
  for (const path of ['/rss.xml', '/sitemap.xml', '/robots.txt', '/feed.json']) {
    const [shown, real] = [await get(path), await visitor.get(path)];
    expect(shown.headers['content-type'], path).toBe(real.headers['content-type']);
    expect(shown.text.replaceAll(base, ''), path).toBe(real.text);
  }
  const [icon, realIcon] = [await get('/favicon.svg'), await visitor.get('/favicon.svg')];
  expect([icon.status, icon.headers['content-type'], icon.text]).toEqual([
    200,
    realIcon.headers['content-type'],
    realIcon.text,
  ]);
  expect(icon.headers['cache-control']).toBe('no-store');
  expect((await get('/feed')).status).toBe((await visitor.get('/feed')).status);
});

/** The process that makes sites and renders their pages. */
async function siteProcess(): Promise<number> {
  const [pid] = await childrenOf(server.pid);
  if (pid === undefined) throw new Error('The server has no such process.');
  return pid;
}

/** One letter, as Linux has it; `Z` for one that nobody has waited for. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') gone');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]!;
}
