import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportTargetNames, type ExportTargetName } from '#app/content/export/export-targets.ts';
import { exportContent } from '#app/content/export-content.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { postFieldsSchema } from '#app/posts/post-form.ts';
import { postStatuses } from '#app/posts/states.ts';
import { toSlug } from '#app/platform/slug.ts';
import { termSchema } from '#app/taxonomy/term-form.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderOf } from '#tests/support/content-folders.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { arbitraryText } from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const RUNS = process.env.NIGHTLY ? 100 : 5;
const now = new Date('2026-11-20T08:00:00.000Z');

/** Texts that a front matter or a body may stumble over. */
const edges = fc.constantFrom(
  ...[
    '---',
    '+++',
    '...',
    '\n---\n',
    '---\ntitle: x\n---',
    '\u2028---\u2028',
    '# Heading',
    '- a',
    '? x',
    '!x',
    '&a',
    '*a',
  ],
  ...[
    'null',
    'true',
    '12',
    '1e3',
    '2026-01-01',
    '~',
    '{a: b}',
    '[x',
    '"',
    "'",
    '`',
    '%x',
    '@x',
    'a: b',
    'a #b',
    '\ttab',
  ],
  ...[
    '  two\n   lines\n\n\nmore',
    'trailing  \n',
    '\u0085',
    '\u00a0',
    '\ufeffx',
    '\u200b',
    '😀',
    'e\u0301',
    'ﬁ',
    '\\',
    '<!--',
    '://',
  ],
  ...['../media/x.png', '![a](/uploads/none.png)', '[a]: <b c>', '```\n---\n```'],
);
const anyText = fc.oneof(
  edges,
  arbitraryText,
  fc.array(edges, { maxLength: 4 }).map((parts) => parts.join('')),
);

/** What a form makes of a text; texts that it refuses do not come up. */
const fields = postFieldsSchema('UTC');
const field = (name: 'title' | 'excerpt' | 'body' | 'coverAlt' | 'seoTitle' | 'seoDescription') =>
  anyText
    .map((value) => fields.safeParse({ [name]: value }).data?.[name])
    .filter((value) => value !== undefined);
const term = fc
  .record({ name: anyText, slug: fc.oneof(fc.constant(''), anyText) })
  .map((value) => termSchema.safeParse(value).data)
  .filter((value) => value !== undefined);
const slug = fc
  .oneof(
    anyText,
    fc.constantFrom(
      'con',
      'index',
      '2020-01-01',
      '2020-01-01-x',
      'x'.repeat(200),
      '長'.repeat(200),
      'readme',
    ),
  )
  .map((value) => toSlug(value))
  .filter((value) => value !== '');
const instant = fc.date({ min: new Date('0100-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const past = fc.date({ min: new Date('0100-01-01'), max: now, noInvalidDate: true });
const alias = fc
  .array(slug, { minLength: 1, maxLength: 3 })
  .map((parts) => `/old/${parts.join('/100% #1?/')}`);

const post = fc
  .record({
    title: field('title'),
    slug,
    excerpt: field('excerpt'),
    body: field('body'),
    coverAlt: field('coverAlt'),
    seoTitle: field('seoTitle'),
    seoDescription: field('seoDescription'),
    coverDecorative: fc.constantFrom('', 'yes'),
    coverFocus: fc.constantFrom('', '25 75'),
    language: fc.constantFrom('', 'de', 'zh-Hans'),
    canonicalUrl: fc.constantFrom('', 'https://x.example/a?b=1#c'),
    status: fc.constantFrom(...postStatuses),
    time: instant,
    isTimed: fc.boolean(),
    contentUpdatedAt: past,
    archiveAt: fc.option(instant, { nil: null }),
    category: fc.option(fc.nat(4), { nil: null }),
    tags: fc.uniqueArray(fc.nat(4), { maxLength: 4 }),
    author: fc.option(fc.nat(2), { nil: null }),
    aliases: fc.uniqueArray(alias, { maxLength: 2 }),
    sourceGuid: fc.constantFrom('', 'https://old.example/?p=1', '5f1c: "x" #'),
    comments: fc.array(
      fc.record({
        parent: fc.nat(3),
        name: fc.constantFrom('', 'Ada: "A"', '長'),
        text: field('body'),
        writtenAt: past,
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ time, isTimed, ...rest }) => ({
    ...rest,
    publishedAt:
      rest.status === 'published'
        ? new Date(Math.min(time.getTime(), now.getTime()))
        : rest.status === 'scheduled' || isTimed
          ? time
          : null,
  }));

const instance = fc.record({
  posts: fc.uniqueArray(post, { minLength: 1, maxLength: 8, selector: (value) => value.slug }),
  categories: fc.uniqueArray(term, { maxLength: 5, selector: (value) => value.slug }),
  tags: fc.uniqueArray(term, { maxLength: 5, selector: (value) => value.slug }),
  names: fc.tuple(
    fc.constantFrom('Ada', 'Grace'),
    fc.constantFrom('Ada', '#9: Nine'),
    fc.constantFrom('Felix Klock, Wesley Wiser', '長'),
  ),
});
type Instance = typeof instance extends fc.Arbitrary<infer Value> ? Value : never;

async function write(app: TestApp, { posts, categories, tags, names }: Instance) {
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
  const taken = new Set<string>();
  for (const { category, tags: wanted, author, aliases, comments, ...columns } of posts) {
    const { id } = await createPost(app, {
      ...columns,
      categoryId: category === null ? null : (categoryIds[category] ?? null),
      tagIds: wanted.flatMap((index) => tagIds[index] ?? []),
      authorId: author === null ? null : authorIds[author]!,
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
    },
    include: {
      author: { select: { displayName: true, username: true, bio: true } },
      category: { select: { name: true, slug: true, description: true } },
      tags: {
        orderBy: { position: 'asc' },
        select: { tag: { select: { name: true, slug: true, description: true } } },
      },
      comments: { orderBy: { position: 'asc' } },
      redirects: { select: { path: true } },
    },
  });
  // Rendered from the same text, but by another path; whether a post was public before does not travel.
  return posts
    .map(({ bodyHtml: _1, tableOfContents: _2, wordCount: _3, hasBeenPublic: _4, ...rest }) => ({
      ...rest,
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
      fc.asyncProperty(instance, async (value) => {
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
