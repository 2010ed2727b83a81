import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { crawl, type CrawledSite } from '#tests/support/crawl.ts';
import { firstDialect } from '#tests/support/databases.ts';
import type { Client } from '#tests/support/http-client.ts';
import { arbitraryChange, makeChange } from '#tests/support/public-changes.ts';
import { countRenders } from '#tests/support/renders.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const SITE = 'https://blog.example.org';
const ENTRANCES = [
  '/',
  '/archive',
  '/categories',
  '/tags',
  '/feed.json',
  '/sitemap.xml',
  '/robots.txt',
  '/blog',
  '/news',
  '/de',
  '/de/archive',
  '/de/categories',
  '/de/tags',
  '/de/rss.xml',
  '/de/feed.json',
  '/de/sitemap.xml',
  '/nothing',
];
/** How long another process on PostgreSQL may show the old state (contract, section 3). */
const LAG_MS = { sqlite: 0, postgresql: 1_000 };

describe.each(firstDialect('postgresql'))('what the page cache answers (%s)', (dialect) => {
  let app: TestApp;
  let servers: TestServer[];
  let cached: Client[];
  let fresh: Client;
  let editor: Client;
  /** What there was before the last change: what is gone must be gone. */
  let known: string[] = [];

  beforeAll(async () => {
    app = await createTestApp({ dialect, now: new Date() });
    const env = { ...app.variables, AUTH_URL: SITE };
    servers = await Promise.all([
      startServer({ env }),
      startServer({ env }),
      startServer({ env: { ...env, PAGE_CACHE_MB: '0' } }),
    ]);
    cached = servers.slice(0, 2).map((server) => server.client());
    fresh = servers[2]!.client();
    editor = servers[0]!.client();
    await logInAsAdministrator(app, editor);
    for (let mark = 0; mark < 6; mark += 1)
      await makeChange(app, { kind: 'create', pick: mark, other: mark + 5, mark });
  });
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.stop()));
    await app?.close();
  });

  /** Fails while a server shows anything that a fresh render does not, from `since` plus its lag on. */
  async function expectFresh(server: Client, truth: CrawledSite, deadline: number): Promise<void> {
    for (;;) {
      const beganAt = performance.now();
      const shown = await crawl(server, SITE, [...truth.keys()], { follow: false });
      const wrong = differences(shown, truth);
      if (wrong.length === 0) return;
      if (beganAt > deadline) expect(wrong).toEqual([]);
    }
  }

  async function crawlFresh(): Promise<CrawledSite> {
    const truth = await crawl(fresh, SITE, [...ENTRANCES, ...known]);
    known = [...truth].filter(([, { status }]) => status === 200).map(([path]) => path);
    return truth;
  }

  it('is new at once where a form changed it, and soon elsewhere', async () => {
    for (const number of [1, 2]) {
      const post = await app.db.post.findFirstOrThrow({
        where: { status: 'published' },
        orderBy: { id: 'asc' },
      });
      const fields = { title: `Typed ${number}`, version: String(post.version), intent: 'save' };
      expect((await editor.post(`/admin/posts/${post.id}`, fields)).status).toBe(302);
      const savedAt = performance.now();
      const truth = await crawlFresh();
      await expectFresh(cached[0]!, truth, savedAt);
      await expectFresh(cached[1]!, truth, savedAt + LAG_MS[dialect]);
    }
  });

  it('is what a fresh render shows, in every process, after random changes by another one', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryChange, { minLength: 1, maxLength: 3 }), async (changes) => {
        for (const change of changes) if (await makeChange(app, change)) made += 1;
        const deadline = performance.now() + LAG_MS[dialect];
        const truth = await crawlFresh();
        for (const server of cached) await expectFresh(server, truth, deadline);
      }),
      { numRuns: process.env.NIGHTLY ? 20 : 2, endOnFailure: true },
    );
    expect(made).toBeGreaterThan(0);
  });

  it('stays, but for what a change concerns', async () => {
    const reader = cached[1]!;
    const misses = () => countRenders(reader);
    await makeChange(app, { kind: 'create', pick: 1, other: 3, mark: 77 });
    const post = await app.db.post.findFirstOrThrow({ where: { title: 'New 77' } });
    await expectFresh(reader, await crawlFresh(), performance.now() + LAG_MS[dialect]);
    const [pages, before] = [known.filter((path) => path.startsWith('/posts/')), await misses()];
    await editPost(app, {
      postId: post.id,
      intent: 'save',
      fields: { seoDescription: 'Other words.' },
      editorId: null,
    });
    await expect.poll(async () => (await reader.get(`/posts/${post.slug}`)).text).toContain('Other words.');
    for (const path of pages) await reader.get(path);
    expect(pages.length).toBeGreaterThan(3);
    expect((await misses()) - before).toBe(1);
  });
});

/** Addresses where the answers differ, with both texts. */
function differences(
  shown: CrawledSite,
  truth: CrawledSite,
): { path: string; shown: string; truth: string }[] {
  return [...truth].flatMap(([path, expected]) => {
    const actual = shown.get(path)!;
    const isSame =
      actual.status === expected.status &&
      actual.headers.location === expected.headers.location &&
      actual.text === expected.text;
    return isSame ? [] : [{ path, shown: actual.text, truth: expected.text }];
  });
}
