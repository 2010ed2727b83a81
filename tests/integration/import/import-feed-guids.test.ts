import path from 'node:path';
import { expect, test } from 'vitest';
import type { ImportSource } from '#app/import/run/sources.ts';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

const post = '---\ntitle: A\ndate: 2020-01-02\n---\nx';

test.each<[string, ImportSource, Record<string, string>, string]>([
  [
    'Jekyll: the id of jekyll-feed',
    'markdown',
    { '_config.yml': 'url: https://old.example\nbaseurl: /blog\n', '_posts/2020-01-02-a-post.md': post },
    'https://old.example/blog/2020/01/02/a-post',
  ],
  [
    'Hugo: the permalink',
    'markdown',
    { 'hugo.toml': 'baseURL = "https://old.example/"', 'content/posts/a-post.md': post },
    'https://old.example/posts/a-post/',
  ],
  [
    'Zola: the permalink',
    'markdown',
    { 'config.toml': 'base_url = "https://old.example"', 'content/a-post.md': post },
    'https://old.example/a-post/',
  ],
  [
    'Docusaurus: the address',
    'markdown',
    {
      'docusaurus.config.js': "module.exports = { url: 'https://old.example', baseUrl: '/docs/' }",
      'blog/2020-01-02-a-post.md': post,
    },
    'https://old.example/docs/blog/2020/01/02/a-post',
  ],
  [
    'Astro: the address',
    'markdown',
    {
      'astro.config.mjs': 'export default { site: "https://old.example" }',
      'src/content/blog/a-post.md': post,
    },
    'https://old.example/blog/a-post/',
  ],
  [
    'Substack: the address, by the links between its posts',
    'substack',
    {
      'posts.csv':
        'post_id,post_date,is_published,type,audience,title\n1.a-post,2020-01-02T00:00:00Z,true,newsletter,everyone,A\n',
      'posts/1.a-post.html': '<p><a href="https://ada.substack.com/p/a-post">me</a></p>',
    },
    'https://ada.substack.com/p/a-post',
  ],
])('feed items keep their identity: %s', async (_name, from, files, guid) => {
  const app = await createTestApp();
  try {
    const result = await importResult(app, { from, input: path.resolve(await folderWith(files)) });
    expect(result).toMatchObject({ imported: { posts: 1 }, warnings: [] });
    expect(await app.db.post.findFirst({ select: { slug: true, sourceGuid: true } })).toEqual({
      slug: 'a-post',
      sourceGuid: guid,
    });
  } finally {
    await app.close();
  }
});
