// Texts that are nested without end or full of opening marks take long to read. Readers of the site do not wait for an
// import of them, nor does the end of a process.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moreAtNight } from '#tests/support/at-night.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { createPosts } from '#tests/support/factories.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { besideReaders, READER_WAIT_MS } from '#tests/support/steady-readers.ts';
import { wxrFile } from '#tests/support/wxr.ts';

const DEPTH = 20_000;
const STOP_MS = 10_000;

const nested = '<div>'.repeat(DEPTH) + 'x' + '</div>'.repeat(DEPTH);
const inNode = '{"type":"paragraph","children":[';
const lexical = `{"root":{"type":"root","children":[${inNode.repeat(DEPTH)}{"type":"text","text":"x"}${']}'.repeat(DEPTH)}]}}`;

function ghostFile(): string {
  const bodies = [{ html: '<p>Good</p>' }, { html: nested }, { lexical }];
  const posts = bodies.map((body, number) => ({
    ...{ id: `g${number}`, uuid: `g${number}`, title: `Ghost ${number}`, slug: `ghost-${number}` },
    ...{ status: 'published', visibility: 'public', published_at: '2021-01-01T00:00:00.000Z', ...body },
  }));
  return JSON.stringify({ db: [{ data: { posts } }] });
}

function mediumPage(title: string, body: string): string {
  const text = `<section data-field="body" class="e-content">${body}</section>`;
  const date = '<footer><time class="dt-published" datetime="2021-01-01T00:00:00.000Z"></time></footer>';
  return `<html><head><title>${title}</title></head><body><article><h1 class="p-name">${title}</h1>${text}${date}</article></body></html>`;
}

const wordpressFile = () =>
  wxrFile(
    ['<p>Good</p>', nested, '[gallery '.repeat(DEPTH)].map((content, number) => ({
      ...{ id: number + 1, title: `Press ${number}`, slug: `press-${number}`, content },
    })),
  );

const markdownFiles = {
  'md/good.md': '---\ntitle: Good\ndate: 2021-01-01\n---\nGood',
  'md/quotes.md': `---\ntitle: Quotes\ndate: 2021-01-01\n---\n${'> '.repeat(DEPTH)}x`,
  'md/front.md': `---\ntitle: Front\na: ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}\n---\nText`,
};

let app: TestApp;
let server: TestServer;
let folder: string;
let paths: string[];
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPosts(app, 20, { status: 'published', publishedAt: app.clock.now() });
  const posts = await app.db.post.findMany({ select: { slug: true } });
  paths = ['/', '/archive', '/rss.xml', ...posts.map(({ slug }) => `/posts/${slug}`)];
  folder = await folderWith({
    'ghost.json': ghostFile(),
    'wordpress.xml': wordpressFile(),
    'medium/posts/2021-01-01_Story-0123456789ab.html': mediumPage('Story', '<p>Good</p>'),
    'medium/posts/2021-01-02_Deep-0123456789ac.html': mediumPage('Deep', nested),
    ...markdownFiles,
  });
  server = await startServer({ env: app.variables });
  // The first pages of a process are slow because V8 has not compiled them yet.
  for (const each of paths) await server.client().get(each);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const commandOf = (from: string, input: string) => [
  ...['content:import', '--from', from, '--input', path.join(folder, input), '--accept-skipped'],
];

const imports = moreAtNight(
  [
    ['wordpress', 'wordpress.xml', 'press-0'],
    ['markdown', 'md', 'good'],
  ],
  [
    ['ghost', 'ghost.json', 'ghost-0'],
    ['medium', 'medium', 'story'],
  ],
);

test.each(imports)(
  'readers notice nothing of a nested import from %s',
  { timeout: 300_000 },
  async (from, input, slug) => {
    const before = crowding();
    const { result, longest } = await besideReaders(server, paths, () =>
      runCommand(commandOf(from, input), { env: app.variables }),
    );
    const { code, stdout, stderr } = result;
    expect(code, stderr).toBe(0);
    const { skipped } = JSON.parse(stdout) as { skipped: { reason: string }[] };
    expect(skipped.map(({ reason }) => reason).join()).not.toContain('Maximum call stack');
    expect((await server.client().get(`/posts/${slug}`)).status).toBe(200);
    expect(longest).toBeLessThan(READER_WAIT_MS * Math.max(before, crowding()));
  },
);

test('a stop signal ends the import, and the server beside it', { timeout: 300_000 }, async () => {
  const before = crowding();
  const run = startScript('bin/run.mjs', commandOf('wordpress', 'wordpress.xml'), { env: app.variables });
  await sleep(1_000);
  const started = performance.now();
  run.child.kill('SIGTERM');
  expect(await server.stop()).toBe(0);
  await run.ended;
  expect(performance.now() - started).toBeLessThan(STOP_MS * Math.max(before, crowding()));
});
