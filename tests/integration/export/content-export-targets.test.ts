import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import type { ExportTargetName } from '#app/export/targets.ts';
import { storeFile, storeMedia } from '#app/media/library/store-media.server.ts';
import { sha256OfFile } from '#app/platform/files/sha256.server.ts';
import { createTestApp, describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { folderOf, folderWith, picture } from '#tests/support/content-folders.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const time = new Date('2026-01-02T03:04:05.678Z');
const body =
  '> [!NOTE]\n> A {{< figure >}} and {{ site.url }}\n\n```go\n{{% code %}}\n```\n\n## Heading {#id}';

async function exported(app: TestApp, to: ExportTargetName) {
  const outputDir = path.join(await tempFolder(), 'export');
  const { result } = await exportContent(app, { outputDir, to });
  return { outputDir, result, files: await folderOf(outputDir) };
}

const textOf = (base64 = '') => Buffer.from(base64, 'base64').toString();

/** A post with a cover, a picture, comments and all names. */
async function writeBlog(app: TestApp) {
  const author = await createUser(app, { username: 'ada', displayName: 'Ada L.', bio: 'Writes.' });
  const category = await createCategory(app, { slug: 'news', name: 'News', description: 'What is new' });
  const tag = await createTag(app, { slug: 'news', name: 'Latest', description: 'The tag' });
  const media = await storeMedia(app, { bytes: await picture(1), originalName: 'a.png', uploadedById: null });
  const post = await createPost(app, {
    slug: 'first',
    title: 'First <b>&amp;</b> “post”',
    status: 'published',
    publishedAt: time,
    contentUpdatedAt: time,
    authorId: author.id,
    categoryId: category.id,
    tagIds: [tag.id],
    coverMediaId: media.id,
    body: `${body}\n\n![x](/uploads/${media.path})`,
    bodyHtml: `<p>Text</p><img src="/uploads/${media.path}">`,
    sourceGuid: 'https://old.example/?p=1',
  });
  const row = { postId: post.id, name: 'Grace', html: '<p>Yes</p>', createdAt: time, writtenAt: time };
  await app.db.comment.create({ data: { ...row, id: 'a', position: 0, text: 'Yes' } });
  await app.db.comment.create({ data: { ...row, id: 'b', position: 1, parentId: 'a', text: '**No**' } });
  await app.db.redirect.create({ data: { path: '/old/a.b', postId: post.id, createdAt: time } });
  await createPost(app, { slug: 'index', title: 'Idea' });
  await createPost(app, { slug: 'gone', status: 'archived', publishedAt: time });
  await createPost(app, { slug: 'due', status: 'scheduled', publishedAt: time });
  return { picture: media.path, name: path.basename(media.path) };
}

const inputs: Record<
  Exclude<ExportTargetName, 'markdown'>,
  [from: 'markdown' | 'ghost' | 'wordpress', file: string]
> = {
  hugo: ['markdown', ''],
  jekyll: ['markdown', ''],
  ghost: ['ghost', 'ghost.json'],
  wordpress: ['wordpress', 'wordpress.xml'],
};

describeWithOneApp('an export has posts, media and what is known beside them', (getApp) => {
  let picture: string;
  let name: string;
  beforeAll(async () => {
    ({ picture, name } = await writeBlog(getApp()));
  });

  test('where Hugo looks for them', async () => {
    const hugo = await exported(getApp(), 'hugo');
    expect(hugo.result).toEqual({ outputDir: hugo.outputDir, postCount: 4, mediaFileCount: 1 });
    expect(Object.keys(hugo.files)).toEqual([
      ...[
        'content/posts/due.md',
        'content/posts/first.md',
        'content/posts/gone.md',
        'content/posts/index_.md',
      ],
      ...['data/authors.json', 'data/comments/first.json', 'data/terms.json', 'hugo.toml'],
      `static/uploads/${name}`,
    ]);
    const first = hugo.files['content/posts/first.md']!;
    for (const line of [
      'lastmod: 2026',
      'categories:\n  - News',
      'author: Ada L.',
      `images:\n  - /uploads/${name}`,
    ])
      expect(first).toContain(line);
    for (const escaped of ['{{</* figure */>}}', '{{%/* code */%}}', `![x](/uploads/${name})`])
      expect(first).toContain(escaped);
    expect(first).not.toContain('draft:');
    expect(hugo.files['content/posts/due.md']).toContain('draft: true\nstatus: scheduled');
  });

  test('where Jekyll looks for them', async () => {
    const jekyll = await exported(getApp(), 'jekyll');
    expect(Object.keys(jekyll.files)).toEqual([
      ...['_config.yml', '_data/authors.json', '_data/comments/first.json', '_data/terms.json'],
      ...[
        '_drafts/index.md',
        '_posts/2026-01-02-due.md',
        '_posts/2026-01-02-first.md',
        '_posts/2026-01-02-gone.md',
      ],
      `assets/uploads/${name}`,
    ]);
    expect(jekyll.files['_posts/2026-01-02-first.md']).toContain('permalink: /posts/first/');
    expect(jekyll.files['_posts/2026-01-02-gone.md']).toContain('published: false\nstatus: archived');
  });

  test('where Ghost looks for them', async () => {
    const ghost = await exported(getApp(), 'ghost');
    expect(Object.keys(ghost.files)).toEqual([`content/images/${name}`, 'ghost.json', 'redirects.json']);
    const { data } = (
      JSON.parse(textOf(ghost.files['ghost.json'])) as { db: { data: Record<string, object[]> }[] }
    ).db[0]!;
    expect(data.posts).toHaveLength(4);
    expect(data.posts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ slug: 'first', status: 'published' },
          feature_image: `__GHOST_URL__/content/images/${name}`,
        }),
        expect.objectContaining({ slug: 'gone', status: 'draft' }),
        expect.objectContaining({ slug: 'due', status: 'scheduled' }),
      ]),
    );
    expect(data.tags).toMatchObject([{ slug: 'news', name: 'News', description: 'What is new' }]);
    expect(JSON.parse(textOf(ghost.files['redirects.json']))).toContainEqual({
      ...{ from: '^\\/old\\/a\\.b\\/?$', to: '/first/', permanent: true },
    });
  });

  test('where WordPress looks for them', async () => {
    const wordpress = await exported(getApp(), 'wordpress');
    expect(Object.keys(wordpress.files)).toEqual([`uploads/${picture}`, 'wordpress.xml']);
    const xml = textOf(wordpress.files['wordpress.xml']);
    expect(xml).toContain(`<img src="https://blog.example.org/uploads/${picture}">`);
    expect(xml).toContain(`<wp:attachment_url><![CDATA[https://blog.example.org/uploads/${picture}]]>`);
    expect(xml.match(/<wp:comment_parent>\d+/g)).toEqual(['<wp:comment_parent>0', '<wp:comment_parent>1']);
  });
});

describeWithApp('content:export for other systems', (getApp, dialect) => {
  test.each(Object.entries(inputs))(
    'what it wrote for %s comes back as the same posts',
    async (to, [from, file]) => {
      const app = getApp();
      await writeBlog(app);
      const { outputDir } = await exported(app, to as ExportTargetName);
      const other = await createTestApp({ dialect });
      try {
        const result = await importResult(other, { from, input: path.join(outputDir, file) });
        expect(result).toMatchObject({
          imported: { posts: 4, media: 1, comments: 2 },
          skipped: [],
          warnings: [],
        });
        expect((await exported(other, 'markdown')).files).toEqual((await exported(app, 'markdown')).files);
        expect(await importResult(other, { from, input: path.join(outputDir, file) })).toMatchObject({
          unchanged: 4,
        });
      } finally {
        await other.close();
      }
    },
  );

  test('an item that was changed in WordPress since counts as WordPress has it', async () => {
    const app = getApp();
    await writeBlog(app);
    const { outputDir } = await exported(app, 'wordpress');
    const file = path.join(outputDir, 'wordpress.xml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('<p>Text</p>', '<p>Changed</p>'));
    const other = await createTestApp({ dialect });
    try {
      await importResult(other, { from: 'wordpress', input: file });
      const { body } = await other.db.post.findUniqueOrThrow({ where: { slug: 'first' } });
      expect(body).toMatch(/^Changed\n\n!\[\]\(\/uploads\//);
    } finally {
      await other.close();
    }
  });
});

describe('sounds and documents', () => {
  let app: TestApp;
  let other: TestApp;
  let text: string;
  beforeAll(async () => {
    [app, other] = [await createTestApp(), await createTestApp()];
    const folder = await folderWith({ 'talk.mp3': 'ID3\x04\0\0', 'paper.pdf': '%PDF-1.7\n' });
    const store = async (originalName: string, format: 'mp3' | 'pdf') => {
      const place = path.join(folder, originalName);
      const [bytes, sha256] = [(await stat(place)).size, await sha256OfFile(place)];
      return storeFile(app, { place, bytes, sha256, format, originalName, uploadedById: null });
    };
    const [talk, paper] = [await store('talk.mp3', 'mp3'), await store('paper.pdf', 'pdf')];
    text = `![Talk](/uploads/${talk.path})\n\n[Paper](/uploads/${paper.path})`;
    await createPost(app, { slug: 'files', status: 'published', publishedAt: time, body: text });
  });
  afterAll(() => Promise.all([app?.close(), other?.close()]));

  test.each([
    ['markdown', 'files'],
    ['wordpress', 'files-2'],
  ] as const)('come along to %s, and back', async (to, slug) => {
    const { outputDir, result } = await exported(app, to);
    expect(result.mediaFileCount).toBe(2);
    const input = to === 'wordpress' ? path.join(outputDir, 'wordpress.xml') : outputDir;
    const { warnings } = await importResult(other, { from: to, input });
    expect(warnings.filter((warning) => warning.includes('uploads'))).toEqual([]);
    const month = /\/uploads\/\d{4}\/\d{2}\//g;
    const { body } = await other.db.post.findUniqueOrThrow({ where: { slug } });
    expect(body.replace(month, '')).toBe(text.replace(month, ''));
    expect(await other.db.media.count()).toBe(2);
  });
});
