import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { createPost as savePost, editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { folderOf, picture } from '#tests/support/content-folders.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { phonePicture, picture as photo } from '#tests/support/images.ts';
import { importResult } from '#tests/support/import.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const newFolder = async () => path.join(await tempFolder(), 'export');
const time = new Date('2026-01-02T03:04:05.678Z');

async function exported(app: TestApp, options: { revisions?: boolean } = {}) {
  const outputDir = await newFolder();
  const { result, warnings } = await exportContent(app, { outputDir, ...options });
  return { result, warnings, outputDir, files: await folderOf(outputDir) };
}

const store = (app: TestApp, bytes: Buffer, originalName = 'a.png') =>
  storeMedia(app, { bytes, originalName, uploadedById: null });

/** A post with every field, two pictures and two old addresses. */
async function writeFullPost(app: TestApp) {
  const author = await createUser(app, { username: 'ada', displayName: 'Ada Lovelace' });
  const category = await createCategory(app, { slug: 'news', name: 'News' });
  const tags = [
    await createTag(app, { slug: 'cpp', name: 'C++' }),
    await createTag(app, { slug: 'c', name: 'C' }),
  ];
  const cover = await store(app, await picture(1));
  const inline = await store(app, await picture(2));
  const post = await createPost(app, {
    slug: 'first',
    title: 'First: a post',
    status: 'published',
    publishedAt: time,
    contentUpdatedAt: time,
    authorId: author.id,
    categoryId: category.id,
    tagIds: tags.map(({ id }) => id),
    coverMediaId: cover.id,
    coverAlt: 'A cover',
    excerpt: 'Short.\nTwo lines.',
    seoTitle: 'S',
    seoDescription: 'D',
    canonicalUrl: 'https://x.example/',
    archiveAt: new Date('2027-01-01T00:00:00Z'),
    body: `![here](/uploads/${inline.path}?v=1 "t") <img src="https://blog.example.org/uploads/${inline.path}"> \`/uploads/${inline.path}\` ![gone](/uploads/2020/01/gone.png)`,
  });
  for (const old of ['/posts/was-first', '/2014/09/100%?.html'])
    await app.db.redirect.create({ data: { path: old, postId: post.id, createdAt: time } });
  return { cover, inline };
}

const fullPost = (coverFile: string, inlineFile: string, inlinePath: string) => `---
title: "First: a post"
slug: first
date: 2026-01-02T03:04:05.678Z
updated: 2026-01-02T03:04:05.678Z
status: published
archive_at: 2027-01-01T00:00:00.000Z
category: News
tags:
  - C++
  - C
tag_slugs:
  - cpp
  - c
author: Ada Lovelace
author_username: ada
excerpt: |-
  Short.
  Two lines.
cover: ../media/${coverFile}
cover_alt: A cover
seo_title: S
seo_description: D
canonical_url: https://x.example/
aliases:
  - /2014/09/100%25%3F.html
  - /posts/was-first
---

![here](../media/${inlineFile} "t") <img src="../media/${inlineFile}"> \`/uploads/${inlinePath}\` ![gone](/uploads/2020/01/gone.png)
`;

/** Posts of every state, with names and texts that files could lose. */
async function writeOddPosts(app: TestApp) {
  const namesakes = [
    await createUser(app, { username: 'ada', displayName: 'Ada' }),
    await createUser(app, { username: 'ada-2', displayName: 'Ada' }),
  ];
  const photos = [
    await store(app, await phonePicture(), 'p.jpg'),
    await store(app, await photo({ format: 'webp' })),
    await store(app, await photo({ format: 'avif', width: 64, height: 40 })),
  ];
  await createPost(app, { slug: 'live', status: 'published', authorId: namesakes[0]!.id });
  await createPost(app, { slug: 'due', status: 'scheduled', publishedAt: time });
  await createPost(app, { slug: 'later', status: 'scheduled', authorId: namesakes[1]!.id });
  await createPost(app, { slug: 'idea', coverAlt: 'Not taken yet', body: '' });
  await createPost(app, { slug: '2020-01-01-idea', title: '2024', body: '\n---\n x \n\n' });
  await createPost(app, { slug: 'dated-idea', publishedAt: time });
  await createPost(app, { slug: 'con', status: 'archived', publishedAt: null });
  await createPost(app, {
    slug: '長'.repeat(200),
    status: 'archived',
    coverMediaId: photos[0]!.id,
    body: photos.map((media) => `![](/uploads/${media.path})`).join('\n'),
  });
}

const rows = (source: TestApp) =>
  source.db.post.findMany({
    orderBy: { slug: 'asc' },
    select: {
      ...{ slug: true, title: true, status: true, publishedAt: true, contentUpdatedAt: true },
      author: { select: { username: true, displayName: true } },
    },
  });

describeWithApp('content:export --to markdown', (getApp, dialect) => {
  test('writes a post with everything that belongs to it', async () => {
    const app = getApp();
    const { cover, inline } = await writeFullPost(app);
    const { result, warnings, outputDir, files } = await exported(app);
    expect(result).toEqual({ outputDir, postCount: 1, mediaFileCount: 2 });
    expect(warnings).toEqual(['uploads/2020/01/gone.png stays where it is: it cannot be read.']);
    const [coverFile, inlineFile] = [path.basename(cover.path), path.basename(inline.path)];
    expect(Object.keys(files)).toEqual([
      ...[`media/${coverFile}`, `media/${inlineFile}`].sort(),
      'posts/first.md',
    ]);
    expect(files['posts/first.md']).toBe(fullPost(coverFile, inlineFile, inline.path));
    expect(await readFile(path.join(outputDir, 'media', inlineFile))).toEqual(
      await readFile(path.join(app.env.uploadsDir, inline.path)),
    );
  });

  test('comes back as the same posts, states, times, accounts and files', async () => {
    const app = getApp();
    await writeOddPosts(app);
    const first = await exported(app);
    expect(first.result).toMatchObject({ postCount: 8, mediaFileCount: 3 });

    const other = await createTestApp({ dialect, now: '2027-03-01T00:00:00Z' });
    try {
      expect(
        await importResult(other, { from: 'markdown', input: first.outputDir, dryRun: false }),
      ).toMatchObject({ imported: { posts: 8, media: 3 }, skipped: [], warnings: [] });
      const second = await exported(other);
      expect(second.files).toEqual(first.files);
      expect(await rows(other)).toEqual(await rows(app));
    } finally {
      await other.close();
    }
  });

  test('earlier texts come along when asked, and an import passes them over', async () => {
    const app = getApp();
    const fields = { title: 'T', slug: 'a', body: 'one' };
    const { id } = await savePost(app, { intent: 'draft', fields, editorId: null });
    app.clock.advance(1_000);
    await editPost(app, { postId: id, intent: 'save', fields: { body: 'two' }, editorId: null });
    const { files, outputDir } = await exported(app, { revisions: true });
    const lines = (files['revisions/a.jsonl'] ?? '').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { kind: 'save', fields: { body: 'two' }, createdAt: app.clock.now().toISOString() },
      { kind: 'save', fields: { body: 'one' } },
    ]);
    expect(await importResult(app, { from: 'markdown', input: outputDir, dryRun: true })).toMatchObject({
      imported: { posts: 1 },
    });
  });

  test('earlier texts of a page and a post with the same name are in separate files', async () => {
    const app = getApp();
    for (const type of ['post', 'page'] as const) {
      const fields = { title: type, slug: 'about', type };
      await savePost(app, { intent: 'draft', fields, editorId: null });
    }
    const { files } = await exported(app, { revisions: true });
    expect(files['revisions/about.jsonl']).toContain('"title":"post"');
    expect(files['revisions/pages/about.jsonl']).toContain('"title":"page"');
  });

  test('refuses a folder that is not empty or public, and leaves nothing when it fails', async () => {
    const app = getApp();
    await createPost(app);
    const parent = await tempFolder();
    await writeFile(path.join(parent, 'x'), '');
    await expect(exportContent(app, { outputDir: parent })).rejects.toMatchObject({ code: 'conflict' });
    const inside = path.join(app.env.uploadsDir, 'x');
    await expect(exportContent(app, { outputDir: inside })).rejects.toMatchObject({ code: 'invalid_input' });
    const outputDir = path.join(parent, 'export');
    const stop = () => {
      throw new Error('Stopped.');
    };
    await expect(exportContent(app, { outputDir, onProgress: stop })).rejects.toThrow('Stopped.');
    expect(await readdir(parent)).toEqual(['x']);
    await mkdir(outputDir);
    await exportContent(app, { outputDir });
    expect((await readdir(outputDir)).sort()).toEqual(['media', 'posts']);
  });

  test('says what it leaves out', async () => {
    const app = getApp();
    const post = await createPost(app, { status: 'published', body: '[notes](/uploads/notes.txt)' });
    await mkdir(app.env.uploadsDir, { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, 'notes.txt'), 'x');
    await app.db.scheduledUpdate.create({
      data: { postId: post.id, fields: '{}', dueAt: time, createdAt: time },
    });
    expect((await exported(app)).warnings).toEqual([
      'uploads/notes.txt stays where it is: it is not an image.',
      'scheduled updates of published posts are not part of an export: 1 left out.',
    ]);
  });
});
