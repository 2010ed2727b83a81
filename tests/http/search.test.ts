import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createCategory, createPost, createTag } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { createSearchApp, type SearchTestApp } from '#tests/support/search-app.ts';
import { engineKinds } from '#tests/support/search-engines.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { noFaults } from '#tests/support/typesense-stand-in.ts';
import { problemsIn, xssPayloads } from '#tests/support/xss-payloads.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

describe.each(engineKinds)('/search (%s)', (kind) => {
  let app: SearchTestApp;
  let server: TestServer;
  let reader: Client;

  beforeAll(async () => {
    app = await createSearchApp(kind, { dialect: 'sqlite' });
    await publishPosts(app);
    await reindexPosts(app, { batchSize: 200 });
    server = await startServer({ env: app.variables });
    reader = server.client();
  });
  afterAll(async () => {
    await server?.stop();
    await app?.close();
  });

  const ask = async (q: string, more = '') => {
    const { status, text } = await reader.get(`/search?q=${encodeURIComponent(q)}${more}`);
    expect(status, `${q}${more}`).toBe(200);
    // What React puts between two pieces of text.
    return text.replaceAll('<!-- -->', '');
  };
  const slugsOf = (html: string) =>
    [...html.matchAll(/<h2><a href="\/posts\/([^"]+)"/g)].map(([, slug]) => decodeURIComponent(slug!));

  test('shows hits with marked titles and snippets, and stays out of search engines', async () => {
    const html = await ask('lantern');
    expect(slugsOf(html)).toEqual(['lantern-news', 'lantern-essay', 'in-the-body']);
    expect(html).toContain('<mark>lantern</mark>');
    expect(html).toMatch(/… [^<]*<mark>lantern<\/mark> hung[^<]*/);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).toContain('value="lantern"');
    expect(html).not.toContain('<script');
    expect(slugsOf(await ask(''))).toEqual([]);
  });

  test('offers facets with counts as links, follows them and goes back', async () => {
    const html = await ask('lantern');
    const link = /<a href="([^"]+)"[^>]*>Letters <span class="count">1<\/span>/.exec(html)![1]!;
    expect(html).toMatch(/Harbour <span class="count">2<\/span>/);
    expect(html).toMatch(/Night <span class="count">3<\/span>/);
    const narrowed = await ask('lantern', '&category=letters');
    expect(link).toBe('/search?q=lantern&amp;category=letters');
    expect(slugsOf(narrowed)).toEqual(['lantern-essay']);
    expect(narrowed).toMatch(/aria-current="true"[^>]*>Letters/);
    expect(narrowed).toMatch(/Harbour <span class="count">2<\/span>/);
    expect(narrowed).toMatch(/Night <span class="count">1<\/span>/);
    expect(narrowed).toContain('href="/search?q=lantern"');
    expect(slugsOf(await ask('lantern', '&tag=night&category=harbour'))).toHaveLength(2);
    expect(slugsOf(await ask('lantern', '&category=unknown'))).toEqual([]);
  });

  test('has pages', async () => {
    const [first, second] = [await ask('paged'), await ask('paged', '&page=2')];
    expect(slugsOf(first)).toHaveLength(10);
    expect(slugsOf(second)).toHaveLength(2);
    expect(new Set([...slugsOf(first), ...slugsOf(second)]).size).toBe(12);
    expect(first).toContain('href="/search?q=paged&amp;page=2"');
    expect(slugsOf(await ask('paged', '&category=&tag=&page='))).toEqual(slugsOf(first));
    expect((await reader.get('/search?q=paged&page=3')).status).toBe(404);
    expect((await reader.get('/search?q=paged&page=x')).status).toBe(404);
  });

  test('says what it searched instead, and what helps when nothing was found', async () => {
    const corrected = await ask('lantren');
    expect(corrected).toMatch(/results for “lantern”/);
    expect(corrected).toContain('“lantren” itself was not found');
    expect(slugsOf(corrected)).toContain('lantern-news');
    const nothing = await ask('zyzzyva');
    expect(nothing).toContain('Nothing was found for “zyzzyva”');
    expect(nothing).toContain('href="/archive"');
    expect(slugsOf(nothing)).toEqual([]);
  });

  test('offers recent posts where nothing is asked', async () => {
    const { text: asked } = await reader.get('/search');
    expect(asked).toContain('<section class="recent-posts"');
    expect(await ask('zyzzyva')).not.toContain('recent-posts');
  });

  test.each([
    ['Vec::push', 'code'],
    ['push', 'code'],
    ['C++', 'code'],
    ['node:fs', 'code'],
    ['cafe', 'accents'],
    ['CAFÉ', 'accents'],
    ['angstrom', 'accents'],
    ['検索', 'cjk'],
    ['东京', 'cjk'],
    ['数据', 'cjk'],
    ['엔진', 'cjk'],
    ['lighthou', 'typos'],
    ['lighthuose', 'typos'],
    ['lihgthouze', 'typos'],
    ['beam', 'typos'],
    ['baem', 'typos'],
  ])('%s finds what it should', async (query, slug) => {
    expect(slugsOf(await ask(query))).toContain(slug);
  });

  test('takes no liberties with three letters', async () => {
    expect(slugsOf(await ask('fgo'))).toEqual([]);
    expect(slugsOf(await ask('fog'))).toEqual(['typos']);
  });

  test('a query can be anything: it stands there as text and nothing breaks', async () => {
    const quiet = new Set(problemsIn(await ask('zyzzyva')));
    const full = new Set(problemsIn(await ask('lantern')));
    const odd = [
      '`',
      '"',
      "'",
      'AND',
      'OR NOT NEAR',
      'NEAR(a b, 2)',
      'lantern*',
      'title:lantern',
      '(lantern',
    ];
    const odder = ['{lantern}', '^lantern', '-lantern', 'a"b', '\\', '%', '` || id:!=`', '*', ':', '\0'];
    const long = ['x', '"(', 'AND ', '*:`', '<b>'].map((text) => text.repeat(10_000 / text.length / 3));
    for (const query of [...xssPayloads, ...odd, ...odder, ...long, 'lantern '.repeat(400)]) {
      const html = await ask(query);
      for (const problem of problemsIn(html))
        expect(quiet.has(problem) || full.has(problem), `${query}: ${problem}`).toBe(true);
    }
    expect(await ask('<b>"x" & y')).toContain(`value="${escaped('<b>"x" & y')}"`);
    expect((await reader.get('/search?q=%FF%C3%28&category=%00&tag=%FF&page=1')).status).toBe(200);
    expect(slugsOf(await ask('"lantern" AND (news)'))).toContain('lantern-news');
  });

  test('10 KB of anything is answered', async () => {
    for (const text of ['x'.repeat(10_000), '"('.repeat(2_000), '`*: '.repeat(1_000), '漢'.repeat(1_000)])
      expect((await reader.get(`/search?q=${encodeURIComponent(text)}`)).status).toBeLessThan(432);
  });

  test('every document is inert: title, excerpt and text, marked or not', async () => {
    const usual = new Set(problemsIn(await ask('lantern')));
    for (const query of ['inert', 'script', 'alert', 'img', 'svg', 'javascript', 'onerror', 'iframe']) {
      const first = await ask(query);
      const pages = Number(/(\d+) results? for/.exec(first)?.[1] ?? 1) / 10;
      for (let page = 1; page <= Math.min(Math.ceil(pages), 6); page += 1) {
        const html = page === 1 ? first : await ask(query, `&page=${page}`);
        for (const problem of problemsIn(html))
          expect(usual.has(problem), `${query}, page ${page}: ${problem}`).toBe(true);
      }
    }
  });

  test('while the engine is down it searches titles and excerpts, says so and shows nothing archived', async () => {
    const gone = await createPost(app, { status: 'published', slug: 'gone', title: 'Gone lantern' });
    await reindexPosts(app, { batchSize: 200 });
    expect(slugsOf(await ask('gone'))).toEqual(['gone']);
    await app.db.post.update({ where: { id: gone.id }, data: { status: 'archived' } });
    // As the write path does; kept answers go by it.
    await app.db.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
    expect(slugsOf(await ask('gone'))).not.toContain('gone');
    if (!app.test.standIn) return;
    for (const faults of [{ down: true }, { notReady: true }, { unauthorized: true }, { delayMs: 60_000 }]) {
      Object.assign(app.test.standIn.faults, noFaults(), faults);
      const html = await ask('lantern');
      expect(html).toContain('The search engine does not answer at the moment.');
      expect(slugsOf(html)).toEqual(['lantern-news', 'lantern-essay']);
      expect(slugsOf(await ask('gone'))).not.toContain('gone');
    }
    Object.assign(app.test.standIn.faults, noFaults());
    expect(await ask('lantern')).not.toContain('does not answer');
  });
});

async function publishPosts(app: SearchTestApp): Promise<void> {
  const harbour = await createCategory(app, { name: 'Harbour', slug: 'harbour' });
  const letters = await createCategory(app, { name: 'Letters', slug: 'letters' });
  const night = await createTag(app, { name: 'Night', slug: 'night' });
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const common = { status: 'published', tagIds: [night.id] };
  const add = (slug: string, title: string, body: string, more = {}) =>
    createPost(app, { status: 'published', slug, title, body, bodyHtml: `<p>${escaped(body)}</p>`, ...more });
  const filler = 'Nothing of the kind is said here. '.repeat(20);
  await add('lantern-essay', 'A lantern', 'Essay.', {
    ...common,
    categoryId: letters.id,
    publishedAt: at(1),
  });
  await add('lantern-news', 'The lantern', 'News.', {
    ...common,
    categoryId: harbour.id,
    publishedAt: at(2),
  });
  await add('in-the-body', 'Other things', `${filler}At last a lantern hung there.${filler}`, {
    ...common,
    categoryId: harbour.id,
    publishedAt: at(3),
  });
  for (let number = 1; number <= 12; number += 1)
    await add(`p-${number}`, `Paged ${number}`, 'Page by page.');
  await add('code', 'Containers', 'Call Vec::push often. C++ and C# differ; import "node:fs".');
  await add('accents', 'Café culture', 'A naïve Fräulein measured one ÅNGSTRÖM.');
  await add('cjk', '全文検索の作り方', '中华人民共和国的数据库，东京都的会议。한국어 검색엔진을 만들다');
  await add('typos', 'The lighthouse', 'Its beam goes through the fog.');
  for (const [index, payload] of xssPayloads.entries())
    await add(`inert-${index}`, payload.slice(0, 250), `inert ${payload} inert`, { excerpt: payload });
}
