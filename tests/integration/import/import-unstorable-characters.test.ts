import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';
import { importedFolder } from '#tests/support/imported-folder.ts';

const ghostPost = (number: number, values: Record<string, unknown>) => ({
  id: String(number).padStart(24, '0'),
  uuid: `00000000-0000-4000-8000-00000000000${number}`,
  title: `Post ${number}`,
  slug: `g${number}`,
  status: 'published',
  visibility: 'public',
  type: 'post',
  ...Object.fromEntries(
    ['created_at', 'updated_at', 'published_at'].map((name) => [name, '2022-01-01T00:00:00.000Z']),
  ),
  html: '<p>x</p>',
  ...values,
});

test('posts of Ghost keep all but the characters that no database holds', async () => {
  const posts = [
    ghostPost(1, { title: 'Lone \ud83d surrogate', html: '<p>a \ud83d b 🎉</p>' }),
    ghostPost(2, { title: 'Nul \0 char', html: '<p>a\0b</p>', custom_excerpt: 'x\0y\udc00z' }),
    ghostPost(3, { slug: 'g3\0', meta_title: 'm\0', feature_image_alt: 'alt\ud800' }),
  ];
  const data = {
    posts,
    tags: [{ id: 't1', name: 'T\0ag', slug: 't\0ag', description: 'd\ud800d' }],
    posts_tags: [{ id: 'pt1', post_id: posts[0]!.id, tag_id: 't1', sort_order: 0 }],
    users: [{ id: 'u1', name: 'A\ud83dda', slug: 'ada', email: 'ada@old.example', bio: 'b\0io' }],
    posts_authors: [{ id: 'pa1', post_id: posts[0]!.id, author_id: 'u1', sort_order: 0 }],
  };
  const folder = await folderWith({
    'ghost.json': JSON.stringify({ db: [{ meta: { exported_on: 1, version: '5.80.0' }, data }] }),
  });
  const app = await createTestApp();
  try {
    const result = await importResult(app, { from: 'ghost', input: path.join(folder, 'ghost.json') });
    expect(result).toMatchObject({ imported: { posts: 3 }, skipped: [] });
    for (const number of [1, 2, 3])
      expect(result.warnings).toContainEqual(
        expect.stringMatching(new RegExp(`${number}: Characters that cannot be stored were removed: `)),
      );
    const rows = await app.db.post.findMany({
      orderBy: { slug: 'asc' },
      include: { tags: { include: { tag: true } }, author: true },
    });
    expect(
      rows.map(({ title, slug, excerpt, body }) => ({ title, slug, excerpt, body: body.trim() })),
    ).toEqual([
      { title: 'Lone  surrogate', slug: 'g1', excerpt: '', body: expect.stringContaining('🎉') },
      { title: 'Nul  char', slug: 'g2', excerpt: 'xyz', body: 'ab' },
      { title: 'Post 3', slug: 'g3', excerpt: '', body: 'x' },
    ]);
    expect(rows[0]!.body).not.toMatch(/\p{Surrogate}/u);
    expect(rows[0]!.tags[0]!.tag).toMatchObject({ name: 'Tag', description: 'dd' });
    expect(rows[0]!.author).toMatchObject({ displayName: 'Ada', bio: 'bio' });
  } finally {
    await app.close();
  }
});

test('so do Markdown files, also with the characters as escapes in their front matter', async () => {
  const { result, posts } = await importedFolder({
    'body.md': '---\ndate: 2021-01-01\n---\na\0b [x](y\0z)',
    'yaml.md':
      '---\ndate: 2021-01-01\ntitle: "A\\0B"\ntags: ["t\\0"]\naliases: ["/o\\0ld"]\nslug: "s\\0lug"\n---\nx',
    'json.md':
      '{"title": "A\\ud83dB", "date": "2021-01-01", "author": "Jo\\u0000", "category": "C\\udc00"}\nx',
    'toml.md': '+++\ntitle = "A\\u0000B"\ndate = 2021-01-01\nseo_title = "S\\u0000"\n+++\nx',
    'terms.md': '---\ntitle: [a\0, b]\ndate: 2021-01-01\n---\nx',
  });
  expect(result).toMatchObject({ imported: { posts: 5 }, skipped: [] });
  expect(posts.body!.body).toBe('ab [x](yz)');
  expect(Object.values(posts).find(({ tags }) => tags.length > 0)).toMatchObject({
    title: 'AB',
    tags: ['t'],
    redirects: ['/old'],
  });
  expect(posts.json).toMatchObject({ title: 'AB', author: 'Jo', category: 'C' });
  expect(posts.toml!.title).toBe('AB');
});
