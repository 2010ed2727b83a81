import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import { exportTargetNames, type ExportTargetName } from '#app/export/targets.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { arbitraryBlog, roundTripAt, type ArbitraryBlog } from '#tests/support/arbitrary-blog.ts';
import { folderOf, picture } from '#tests/support/content-folders.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const RUNS = process.env.NIGHTLY ? 100 : 3;
const now = roundTripAt;

async function write(app: TestApp, { posts, categories, tags, names }: ArbitraryBlog) {
  const categoryIds: string[] = [];
  for (const value of categories) categoryIds.push((await createCategory(app, value)).id);
  const tagIds: string[] = [];
  for (const value of tags) tagIds.push((await createTag(app, value)).id);
  const authorIds: string[] = [];
  for (const [index, displayName] of names.entries())
    authorIds.push(
      (
        await createUser(app, {
          displayName,
          bio: `Bio ${index}`.repeat(index),
          username: `ada${index || ''}`,
        })
      ).id,
    );
  const covers: string[] = [];
  for (const number of [0, 1, 2]) {
    const file = { bytes: await picture(number), originalName: `cover ${number}.png`, uploadedById: null };
    covers.push((await storeMedia(app, file)).id);
  }
  const taken = new Set<string>();
  const pages: { id: string; slug: string }[] = [];
  const originals: string[] = [];
  for (const { category, tags: wanted, author, aliases, comments, ...place } of posts) {
    const { cover, isPage, below, translates, byline, ...columns } = place;
    const parent = isPage && below !== null ? pages[below] : undefined;
    const original = isPage || translates === null ? undefined : originals[translates];
    const { id, slug: address } = await createPost(app, {
      ...columns,
      ...(isPage && {
        type: 'page',
        slug: `${parent?.slug ?? ''}/${columns.slug}`,
        parentId: parent?.id ?? null,
        listedIn: PAGES_LIST,
      }),
      translationOf: original ?? null,
      coverMediaId: cover === null ? null : covers[cover]!,
      categoryId: category === null ? null : (categoryIds[category] ?? null),
      tagIds: wanted.flatMap((index) => tagIds[index] ?? []),
      authorId: author === null ? null : authorIds[author]!,
    });
    if (isPage && address.split('/').length < 4) pages.push({ id, slug: address });
    if (!isPage && !original) originals.push(id);
    const accounts = new Map(['ada', 'ada1', 'ada2'].map((name, index) => [name, authorIds[index]!]));
    await app.db.postAuthor.createMany({
      data: byline.map((name, position) => {
        const userId = accounts.get(name) ?? null;
        return { postId: id, position, userId, name: userId === null ? name : '' };
      }),
    });
    for (const [position, { parent, ...comment }] of comments.entries()) {
      const parentId = parent < position ? `${id} ${parent}` : null;
      const row = { ...comment, id: `${id} ${position}`, postId: id, parentId, position, html: comment.text };
      await app.db.comment.create({ data: { ...row, createdAt: now } });
    }
    for (const path of aliases.filter((one) => !taken.has(one))) {
      taken.add(path);
      await app.db.redirect.create({ data: { path, postId: id, createdAt: now } });
    }
  }
}

/** All of the posts that a reader or an editor can see. */
async function contentOf(app: TestApp) {
  const posts = await app.db.post.findMany({
    omit: {
      ...{ id: true, version: true, createdAt: true, updatedAt: true, authorId: true, categoryId: true },
      coverMediaId: true,
    },
    include: {
      author: { select: { displayName: true, username: true, bio: true } },
      category: { select: { name: true, slug: true, description: true } },
      coverMedia: { select: { path: true, width: true, height: true } },
      authors: {
        orderBy: { position: 'asc' },
        select: { name: true, user: { select: { username: true, displayName: true, bio: true } } },
      },
      tags: {
        orderBy: { position: 'asc' },
        select: { tag: { select: { name: true, slug: true, description: true } } },
      },
      comments: { orderBy: { position: 'asc' } },
      redirects: { select: { path: true } },
    },
  });
  // Rendered from the same text, but by another path; whether a post was public before does not travel.
  const rows = await app.db.post.findMany({ select: { id: true, slug: true } });
  const slugOf = (id: string | null) => rows.find((row) => row.id === id)?.slug;
  return posts
    .map(({ bodyHtml: _1, tableOfContents: _2, wordCount: _3, hasBeenPublic: _4, ...rest }) => ({
      ...rest,
      parentId: slugOf(rest.parentId),
      translationOf: slugOf(rest.translationOf),
      redirects: rest.redirects.map(({ path }) => path).sort(),
      comments: rest.comments.map(({ name, text, writtenAt, parentId }) => ({
        ...{ name, text, writtenAt },
        parent: rest.comments.find(({ id }) => id === parentId)?.position ?? null,
      })),
    }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function inNewApp<T>(dialect: Dialect, work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await createTestApp({ dialect, now });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

const exportTo = async (app: TestApp, to: ExportTargetName = 'markdown') => {
  const outputDir = path.join(await tempFolder(), 'export');
  await exportContent(app, { outputDir, to });
  return outputDir;
};

const files = { ghost: 'ghost.json', wordpress: 'wordpress.xml' } as const;
const inputOf = (target: ExportTargetName, folder: string) =>
  target === 'ghost' || target === 'wordpress'
    ? { from: target, input: path.join(folder, files[target]) }
    : ({ from: 'markdown', input: folder } as const);

test(
  'whatever the posts are, what was exported imports to the same posts and exports to the same bytes',
  async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryBlog, async (value) => {
        // Every other run crosses over to the other database.
        const [from, to] = (
          (run += 1) % 2 === 0 ? ['postgresql', 'sqlite'] : ['sqlite', 'postgresql']
        ) as Dialect[];
        // And every run goes by way of another system.
        const target = exportTargetNames[run % exportTargetNames.length]!;
        const first = await inNewApp(from!, async (app) => {
          await write(app, value);
          const folder = await exportTo(app);
          const moved = target === 'markdown' ? folder : await exportTo(app, target);
          return { folder, moved, content: await contentOf(app) };
        });
        await inNewApp(to!, async (app) => {
          expect(await importResult(app, inputOf(target, first.moved))).toMatchObject({ skipped: [] });
          expect(await contentOf(app)).toEqual(first.content);
          expect(await folderOf(await exportTo(app))).toEqual(await folderOf(first.folder));
        });
      }),
      { numRuns: RUNS, endOnFailure: !process.env.NIGHTLY },
    );
  },
  20 * 60_000,
);
