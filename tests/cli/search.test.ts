import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPosts } from '#tests/support/factories.ts';
import { runCommand, type CommandResult } from '#tests/support/command.ts';
import { createSearchApp, type SearchTestApp } from '#tests/support/search-app.ts';
import { engineKinds } from '#tests/support/search-engines.ts';

const run = (app: SearchTestApp, args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { env: { ...app.variables, ...env } });

/** One line on stderr, nothing on stdout, no stack trace. */
function expectFailure(result: CommandResult, message: RegExp): void {
  expect(result.stderr.trim()).toMatch(message);
  expect(result.stderr.trim().split('\n')).toHaveLength(1);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: '' });
}

describe.each(engineKinds)('the search commands (%s)', (kind) => {
  let app: SearchTestApp;
  beforeAll(async () => {
    app = await createSearchApp(kind);
    await createPosts(app, 7, { status: 'published' });
    await createPosts(app, 1, { status: 'published', slug: 'news-a', title: 'News' });
    await createPosts(app, 2, { status: 'draft' });
  });
  afterAll(() => app?.close());

  const check = { indexName: 'published_posts', sourceCount: 8, indexedCount: 8 };
  const same = { missing: 0, stale: 0, orphaned: 0, repaired: false };

  test('a check counts what an empty index misses, and a rebuild fills it', async () => {
    const before = await run(app, ['search:check-index']);
    expect(before.json()).toEqual({ ...check, ...same, indexedCount: 0, missing: 8 });
    expect([before.code, before.stderr]).toEqual([1, '']);

    const rebuilt = await run(app, ['search:reindex-posts', '--batch-size', '3']);
    const counts = { batchCount: 3, sourceCount: 8, indexedCount: 8 };
    expect(rebuilt.json()).toEqual({ indexName: 'published_posts', batchSize: 3, ...counts });
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, '']);
  });

  test('a rebuild of a prefix indexes its posts alone; a check repairs the rest', async () => {
    // Past the content writes; the prefix covers one that is stale and one that is missing.
    await app.db.post.updateMany({ where: { slug: { startsWith: 'news-' } }, data: { title: 'Gazette' } });
    const where = { slug: { startsWith: 'post-' }, status: 'published' };
    const [a, b] = await app.db.post.findMany({ where });
    await app.db.post.update({ where: { id: a!.id }, data: { excerpt: 'Changed' } });
    await app.db.post.update({ where: { id: b!.id }, data: { status: 'archived' } });
    await createPosts(app, 1, { status: 'published', slug: 'news-b' });
    const prefix = await run(app, ['search:reindex-posts', '--slug-prefix', 'news-']);
    const counts = { batchCount: 1, sourceCount: 2, indexedCount: 2 };
    expect(prefix.json()).toEqual({ indexName: 'published_posts', batchSize: 200, ...counts });
    const rest = { missing: 0, stale: 1, orphaned: 1 };
    expect((await run(app, ['search:check-index'])).json()).toMatchObject(rest);
    const repaired = await run(app, ['search:check-index', '--repair']);
    expect(repaired.json()).toEqual({ ...check, ...rest, indexedCount: 9, repaired: true });
    expect(repaired.code).toBe(0);
    const again = await run(app, ['search:check-index']);
    expect(again.json()).toEqual({ ...check, ...same });
    expect(again.code).toBe(0);
  });
});

describe('what is refused', () => {
  let app: SearchTestApp;
  beforeAll(async () => {
    app = await createSearchApp('typesense', { dialect: 'sqlite' });
    await createPosts(app, 3, { status: 'published' });
  });
  afterAll(() => app?.close());

  test.each([
    ['--batch-size', '0'],
    ['--batch-size', '1001'],
    ['--batch-size', 'many'],
    ['--batch-size', '1e2'],
    ['--slug-prefix'],
    ['--slug-prefix='],
    ['--batch-sise', '5'],
  ])('search:reindex-posts with %j, %j is a usage error', async (...args) => {
    const result = await run(app, ['search:reindex-posts', ...args]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain('search:reindex-posts');
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  test('search:check-index with an unknown option is a usage error', async () => {
    const result = await run(app, ['search:check-index', '--fix']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain('--repair');
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ SEARCH_HOST: 'ftp://search.example.org' }, /SEARCH_HOST.*(file:|http)/],
    [{ SEARCH_API_KEY: 'wrong' }, /SEARCH_API_KEY/],
    [
      { SEARCH_HOST: 'http://127.0.0.1:9' },
      /^Typesense does not answer at 127\.0\.0\.1:9 \(ECONNREFUSED\)\. .*SEARCH_HOST\.$/,
    ],
    [{ DATABASE_URL: '' }, /^DATABASE_URL is not configured$/],
  ])('a command with %j says what is wrong', async (env, message) => {
    expectFailure(await run(app, ['search:reindex-posts'], env), message);
  });

  test('a rebuild that the engine refuses leaves the old index', async () => {
    expect((await run(app, ['search:reindex-posts'])).code).toBe(0);
    const before = app.test.standIn!.aliases.get('published_posts');
    const { id } = (await app.db.post.findFirst())!;
    app.test.standIn!.faults.failingLine = (document) => (document.id === id ? 'Bad JSON.' : null);
    expectFailure(await run(app, ['search:reindex-posts']), new RegExp(`refused post ${id}: Bad JSON`));
    app.test.standIn!.faults.failingLine = () => null;
    app.test.standIn!.faults.outOf = 'OUT_OF_DISK';
    expectFailure(await run(app, ['search:reindex-posts']), /OUT_OF_DISK/);
    app.test.standIn!.faults.outOf = null;
    expect(app.test.standIn!.aliases.get('published_posts')).toBe(before);
    expect([...app.test.standIn!.collections.keys()]).toEqual([before]);
  });

  test('a collection that bears the alias’s name is in the way, and the message says so', async () => {
    const standIn = app.test.standIn!;
    const fields = [{ name: 'title', type: 'string' }];
    const made = await fetch(`${standIn.url}/collections`, {
      method: 'POST',
      headers: { 'x-typesense-api-key': standIn.apiKey },
      body: JSON.stringify({ name: 'published_posts', fields }),
    });
    expect(made.status).toBe(201);
    expectFailure(await run(app, ['search:reindex-posts']), /a collection named published_posts/);
    standIn.collections.delete('published_posts');
  });
});
