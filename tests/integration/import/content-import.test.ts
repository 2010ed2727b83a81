import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ImportResult } from '#app/import/run/report.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { addFiles, folderWith, picture } from '#tests/support/content-folders.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { counts, importResult } from '#tests/support/import.ts';
import { sampleFolder } from '#tests/support/markdown-folder.ts';

const importFolder = (app: TestApp, input: string, dryRun = false) =>
  importResult(app, { from: 'markdown', input, dryRun });
const nothing = counts();

/** Every table that an import may write, without what only tells when. */
async function snapshot(app: TestApp) {
  const [posts, tags, categories, users, redirects, media, items, revisions, sitemap, version] =
    await Promise.all([
      app.db.post.findMany({ orderBy: { id: 'asc' } }),
      app.db.tag.count(),
      app.db.category.count(),
      app.db.user.count(),
      app.db.redirect.findMany({ orderBy: { path: 'asc' } }),
      app.db.media.count(),
      app.db.importItem.findMany({ orderBy: { itemKey: 'asc' } }),
      app.db.revision.count(),
      app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } }),
      app.db.siteState.findMany(),
    ]);
  return { posts, tags, categories, users, redirects, media, items, revisions, sitemap, version };
}

describeWithOneApp('a folder of Markdown', (getApp) => {
  let result: ImportResult;
  beforeAll(async () => {
    result = await importFolder(getApp(), await folderWith(await sampleFolder()));
  });

  test('is counted, and what is left out or stays elsewhere is named', () => {
    expect(result).toEqual({
      source: 'markdown',
      dialect: 'markdown',
      updated: 0,
      unchanged: 0,
      ignored: { '.hidden/': 1 },
      imported: counts({ posts: 5, categories: 1, tags: 2, media: 2, redirects: 1 }),
      skipped: [{ item: 'broken.md', reason: expect.stringMatching(/^The front matter cannot be read: /) }],
      warnings: [
        'idea.md: No date: the post becomes a draft.',
        'one/index.md: https://x.example/a.png stays as it is: it is elsewhere on the web.',
        'one/index.md: //x.example/b.png stays as it is: it is elsewhere on the web.',
      ],
    });
  });

  test('becomes posts in the states that their dates give them', async () => {
    const posts = await getApp().db.post.findMany({ orderBy: { slug: 'asc' } });
    expect(posts.map(({ slug, status }) => [slug, status])).toEqual([
      ['due', 'scheduled'],
      ['idea', 'draft'],
      ['later', 'scheduled'],
      ['one', 'published'],
      ['second', 'published'],
    ]);
  });

  test('becomes posts with everything that belongs to them', async () => {
    const app = getApp();
    const one = await app.db.post.findUniqueOrThrow({
      where: { slug: 'one' },
      include: { author: true, category: true, coverMedia: true, tags: { include: { tag: true } } },
    });
    const inline = await app.db.media.findFirstOrThrow({ where: { originalName: 'a b.png' } });
    expect(one).toMatchObject({
      title: 'First post',
      excerpt: 'Short.',
      publishedAt: new Date('2026-01-02T00:00:00Z'),
      contentUpdatedAt: new Date('2026-01-02T00:00:00Z'),
      category: { slug: 'news', name: 'News' },
      coverMedia: { originalName: 'cover.png' },
      coverAlt: 'A cover',
      hasBeenPublic: true,
      body: `# Head\n\n![here](/uploads/${inline.path}) and <img src="/uploads/${inline.path}"> and [far](https://x.example/a.png) and ![near](//x.example/b.png).`,
    });
    expect(one.bodyHtml).toContain(
      `<img src="/uploads/${inline.path}" alt="here" decoding="async" width="40" height="30" data-color="#025078">`,
    );
    expect(one.tags.map(({ tag }) => tag.slug).sort()).toEqual(['alpha', 'beta']);
    expect(await readdir(path.join(app.env.uploadsDir, path.dirname(inline.path)))).toHaveLength(2);
  });
});

describeWithApp('content:import --from markdown', (getApp) => {
  test('has the consequences that typed posts have', async () => {
    const app = getApp();
    await importFolder(app, await folderWith(await sampleFolder()));
    const one = await app.db.post.findUniqueOrThrow({ where: { slug: 'one' } });
    expect(await app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } })).toMatchObject([
      { path: '/posts/one', lastModified: new Date('2026-01-02T00:00:00Z') },
      { path: '/posts/second' },
    ]);
    expect(await app.db.redirect.findMany()).toMatchObject([{ path: '/old/first.html', postId: one.id }]);
    const [revision] = await app.db.revision.findMany({ where: { postId: one.id } });
    expect(revision).toMatchObject({ kind: 'import', postVersion: 1, authorId: one.authorId });
    expect(JSON.parse(revision!.fields)).toMatchObject({ title: 'First post', tags: ['Alpha', 'beta'] });
    expect(await app.db.searchOutbox.count()).toBe(0);
    expect(
      await app.search.search({
        text: 'Head',
        categoryId: null,
        tagId: null,
        excludedIds: [],
        offset: 0,
        limit: 10,
      }),
    ).toMatchObject({ ids: [one.id] });
    expect(await app.db.siteState.findFirst()).toMatchObject({
      contentVersion: expect.any(Number) as number,
    });
  });

  test('authors are accounts that cannot log in, unless somebody has that name', async () => {
    const app = getApp();
    const known = await createUser(app, { displayName: 'Grace Hopper', username: 'gh' });
    await importFolder(
      app,
      await folderWith({
        'a.md': '---\ntitle: A\ndate: 2026-01-01\nauthor: Grace Hopper\n---\n',
        'b.md': '---\ntitle: B\ndate: 2026-01-01\nauthor: GH\n---\n',
        'c.md': '---\ntitle: C\ndate: 2026-01-01\nauthor: Ada\n---\n',
      }),
    );
    const authorOf = async (slug: string) =>
      (await app.db.post.findUniqueOrThrow({ where: { slug }, include: { author: true } })).author;
    expect((await authorOf('a'))?.id).toBe(known.id);
    expect((await authorOf('b'))?.id).toBe(known.id);
    expect(await authorOf('c')).toMatchObject({
      displayName: 'Ada',
      username: 'ada',
      email: 'ada@imported.invalid',
      passwordHash: null,
      disabledAt: app.clock.now(),
      role: 'author',
    });
  });

  test('a picture that changed at the source is a change too', async () => {
    const app = getApp();
    const folder = await folderWith(await sampleFolder());
    await importFolder(app, folder);
    await addFiles(folder, { 'one/cover.png': await picture(9) });
    app.clock.advance(1_000);
    expect(await importFolder(app, folder)).toMatchObject({ imported: { ...nothing, media: 1 }, updated: 1 });
  });

  test('a new slug at the source leaves a redirect, and a post that was deleted here comes again', async () => {
    const app = getApp();
    const folder = await folderWith({ 'a.md': '---\ndate: 2026-01-01\nslug: first\n---\nx' });
    await importFolder(app, folder);
    await addFiles(folder, { 'a.md': '---\ndate: 2026-01-01\nslug: second\n---\nx' });
    await importFolder(app, folder);
    const post = await app.db.post.findUniqueOrThrow({ where: { slug: 'second' } });
    expect(await app.db.redirect.findMany()).toMatchObject([{ path: '/posts/first', postId: post.id }]);
    await app.db.post.delete({ where: { id: post.id } });
    expect(await importFolder(app, folder)).toMatchObject({ imported: { posts: 1 } });
    expect(await app.db.post.count()).toBe(1);
  });

  test('a dry run says the same and writes nothing', async () => {
    const app = getApp();
    const folder = await folderWith({
      ...(await sampleFolder()),
      'x/one.md':
        '---\ntitle: Same\ndate: 2026-01-01\naliases: [/old/first.html]\ncategory: news\n---\n![](none.png)',
      'y/one.md': '---\ntitle: Same\ndate: 2026-01-01\nauthor: Ada Lovelace\n---\n',
    });
    const before = await snapshot(app);
    const planned = await importFolder(app, folder, true);
    expect(await snapshot(app)).toEqual(before);
    await expect(readdir(app.env.uploadsDir)).rejects.toThrow();
    expect(await importFolder(app, folder)).toEqual(planned);
    expect(planned.warnings).toEqual([
      'idea.md: No date: the post becomes a draft.',
      'one/index.md: https://x.example/a.png stays as it is: it is elsewhere on the web.',
      'one/index.md: //x.example/b.png stays as it is: it is elsewhere on the web.',
      'x/one.md: none.png: there is no such file.',
      'x/one.md: The slug “one” is taken; the post gets “one-2”.',
      'x/one.md: The old address /old/first.html is taken and does not lead here.',
      'y/one.md: The slug “one” is taken; the post gets “one-3”.',
    ]);
  });

  test('a scheduled post whose time has passed is due, and the trigger publishes it', async () => {
    const app = getApp();
    await importFolder(app, await folderWith(await sampleFolder()));
    expect(await publishDue(app, 'command')).toMatchObject({ publishedCount: 1, affectedSlugs: ['due'] });
    const due = await app.db.post.findUniqueOrThrow({ where: { slug: 'due' } });
    expect(due).toMatchObject({ status: 'published', publishedAt: new Date('2026-11-01T00:00:00Z') });
  });

  test('a run that is stopped continues where it stopped', async () => {
    const app = getApp();
    const files = Array.from({ length: 80 }, (_, number) => [
      `${String(number).padStart(2, '0')}.md`,
      `---\ndate: 2026-01-01\ntitle: Post ${number}\n---\nText ${number}`,
    ]);
    const folder = await folderWith(Object.fromEntries(files));
    const stopAt = (done: number) => (progress: { done: number }) => {
      if (progress.done >= done) throw new Error('Stopped.');
    };
    const options = { from: 'markdown', input: folder, dryRun: false } as const;
    await expect(importResult(app, { ...options, onProgress: stopAt(70) })).rejects.toThrow('Stopped.');
    expect(await app.db.post.count()).toBe(50);
    expect(await importFolder(app, folder)).toMatchObject({ imported: { posts: 30 } });
    expect(await app.db.post.count()).toBe(80);
  });
});

describeWithOneApp('a folder of Markdown that is imported again', (getApp) => {
  let folder: string;
  let before: Awaited<ReturnType<typeof snapshot>>;
  beforeAll(async () => {
    const app = getApp();
    folder = await folderWith(await sampleFolder());
    await importFolder(app, folder);
    before = await snapshot(app);
    app.clock.advance(60_000);
  });

  test('changes nothing', async () => {
    expect(await importFolder(getApp(), folder)).toMatchObject({ imported: nothing, warnings: [] });
    expect(await snapshot(getApp())).toEqual(before);
  });

  test('changes what has changed at the source, and that alone', async () => {
    const sample = (await sampleFolder())['one/index.md'];
    const changed = sample.replace('First post', 'Renamed').replace('/old/first', '/older/first');
    await addFiles(folder, { 'one/index.md': changed });
    const imported = { ...nothing, redirects: 1 };
    expect(await importFolder(getApp(), folder)).toMatchObject({ imported, updated: 1, unchanged: 4 });
    const after = await snapshot(getApp());
    expect(after.posts).toHaveLength(5);
    expect(after.posts.filter((post, index) => post.title !== before.posts[index]!.title)).toMatchObject([
      { slug: 'one', title: 'Renamed', version: 2 },
    ]);
    const paths = after.redirects.map((redirect) => redirect.path);
    expect(paths).toEqual(['/old/first.html', '/older/first.html']);
    expect(after.revisions).toBe(before.revisions + 1);
  });
});

describeWithOneApp('a folder of Markdown whose addresses the site has', (getApp) => {
  const aliases = ['/posts/mine', '/posts/was-mine', '/rss.xml', '/backstage/x', '/free', '/posts/free-too'];
  let mine: { id: string };
  let result: ImportResult;
  beforeAll(async () => {
    const app = getApp();
    await changeSettings(app, { admin_path: 'backstage' });
    mine = await createPost(app, { slug: 'mine', status: 'published' });
    const now = app.clock.now();
    await app.db.redirect.create({ data: { path: '/posts/was-mine', postId: mine.id, createdAt: now } });
    const folder = await folderWith({
      'a.md': `---\ndate: 2026-01-01\naliases: [${aliases.join(', ')}, /posts/a, "?p=1"]\n---\n`,
      'mine.md': '---\ndate: 2026-01-01\n---\n',
      'was-mine.md': '---\ndate: 2026-01-01\n---\n',
    });
    result = await importFolder(app, folder);
  });

  test('keeps away from posts, old addresses, routes and the backend, and says so', () => {
    expect(result.imported).toMatchObject({ posts: 3, redirects: 2 });
    expect(result.warnings).toEqual([
      'a.md: The old address ?p=1 is no path, or too long, and was left out.',
      'a.md: The old address /posts/mine is taken and does not lead here.',
      'a.md: The old address /posts/was-mine is taken and does not lead here.',
      'a.md: The old address /rss.xml is taken and does not lead here.',
      'a.md: The old address /backstage/x is taken and does not lead here.',
      'mine.md: The slug “mine” is taken; the post gets “mine-2”.',
      'was-mine.md: The slug “was-mine” is taken; the post gets “was-mine-2”.',
    ]);
  });

  test('gets the addresses that are free', async () => {
    const where = { postId: { not: mine.id } };
    const redirects = await getApp().db.redirect.findMany({ where, orderBy: { path: 'asc' } });
    expect(redirects.map((redirect) => redirect.path)).toEqual(['/free', '/posts/free-too']);
  });
});
