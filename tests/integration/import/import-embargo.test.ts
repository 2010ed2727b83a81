import { expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';

const post = (...lines: string[]) => ['---', 'title: A', ...lines, '---', 'Text'].join('\n');
const hugo = { 'hugo.toml': 'baseURL = "https://old.example/"\n' };

test.each([
  ['publishDate: 2999-01-02T08:00:00Z'],
  ['publishdate: 2999-01-02T08:00:00Z'],
  ['PublishDate: 2999-01-02'],
  ['pubdate: 2999-01-02'],
  ['published: 2999-01-02'],
])('what Hugo shows only later, by %s, is scheduled whatever its date is', async (line) => {
  const { result, posts } = await importedFolder({
    ...hugo,
    'content/posts/a.md': post('date: 2020-01-01', line),
  });
  expect(posts.a).toMatchObject({ status: 'scheduled', day: '2999-01-02', redirects: [] });
  expect(result.warnings).toEqual([
    expect.stringMatching(/^content\/posts\/a\.md: .* is in the future: the post is scheduled for it\.$/i),
  ]);
});

test.each([
  ['astro', 'pubDate: 2020-01-01', 'publishDate: 2999-01-02'],
  ['jekyll', 'date: 2020-01-01', 'publish_date: 2999-01-02'],
  ['eleventy', 'date: 2020-01-01', 'scheduled: 2999-01-02'],
  ['hexo', 'date: 2020-01-01', 'publishedAt: 2999-01-02'],
  ['gatsby', 'date: 2020-01-01', 'embargo: 2999-01-02'],
  ['obsidian', 'created: 2020-01-01', 'publishAt: 2999-01-02'],
] as const)('so it is in a folder of %s with %s and %s', async (dialect, ...lines) => {
  const { posts } = await importedFolder({ 'src/content/blog/a.md': post(...lines) }, { dialect });
  expect(posts.a).toMatchObject({ status: 'scheduled', day: '2999-01-02' });
});

test('it is so without a date, for TOML and JSON, and where a state says that the post is published', async () => {
  const { posts } = await importedFolder({
    ...hugo,
    'content/undated.md': post('publishDate: 2999-01-02'),
    'content/posts/toml.md': '+++\ntitle = "T"\ndate = 2020-01-01\npublishDate = 2999-01-02\n+++\nText',
    'content/posts/json.md': '{"title": "J", "date": "2020-01-01", "PUBLISHDATE": "2999-01-02"}\nText',
    'content/posts/said.md': post('date: 2020-01-01', 'publishDate: 2999-01-02', 'status: published'),
  });
  const later = { status: 'scheduled', day: '2999-01-02' };
  expect(posts).toMatchObject({ undated: later, toml: later, json: later, said: later });
});

test.each([['soon'], ['2999-13-45'], ['TBD']])(
  'a time of publication that cannot be read, %s, makes no post public',
  async (written) => {
    const { result, posts } = await importedFolder({
      ...hugo,
      'content/posts/a.md': post('date: 2020-01-01', `publishDate: ${written}`),
      'content/page.md': post(`publishDate: ${written}`),
    });
    for (const { status } of Object.values(posts)) expect(status).toBe('draft');
    expect(posts.a!.status).toBe('draft');
    expect([...result.warnings, ...result.skipped.map(({ reason }) => reason)].join()).toContain(
      'publishDate',
    );
  },
);

test('Hugo shows a post with a later date once its time of publication has come', async () => {
  const { posts } = await importedFolder({
    ...hugo,
    'content/posts/a.md': post('date: 2999-01-01', 'publishDate: 2020-01-02'),
    'content/posts/b.md': post('date: 2020-01-01', 'publishDate: 2020-01-03'),
  });
  expect(posts.a).toMatchObject({ status: 'published', day: '2020-01-02' });
  expect(posts.b).toMatchObject({ status: 'published', day: '2020-01-01' });
});

test.each([
  ['Draft: true', 'draft'],
  ['DRAFT: true', 'draft'],
  ['Headless: true', 'draft'],
  ['ExpiryDate: 2021-01-01', 'archived'],
  ['unpublishdate: 2021-01-01', 'archived'],
  ['build:\n  list: never', 'draft'],
  ['_build:\n  list: false', 'draft'],
  ['Build:\n  Render: never', 'draft'],
])('names in Hugo have no case: %j', async (line, status) => {
  const { posts } = await importedFolder({
    ...hugo,
    'content/posts/a.md': post('date: 2020-01-01', line),
  });
  expect(posts.a!.status).toBe(status);
});

test.each([
  ['cascade:\n  draft: true', 'draft'],
  ['cascade:\n  publishDate: 2999-01-02', 'scheduled'],
  ['cascade:\n  - build:\n      render: never\n    _target:\n      path: /secret/**', 'draft'],
  ['cascade:\n  - target:\n      kind: page\n    params: {}\n    draft: true', 'draft'],
])('what a section of Hugo says of all its posts counts: %j', async (lines, status) => {
  const { posts } = await importedFolder({
    ...hugo,
    'content/secret/_index.md': `---\ntitle: S\n${lines}\n---\n`,
    'content/secret/deep/a.md': post('date: 2020-01-01'),
    'content/open/b.md': post('date: 2020-01-01'),
  });
  expect(posts.a!.status).toBe(status);
  expect(posts.b!.status).toBe('published');
});

test('a section of Zola that is a draft hides its posts', async () => {
  const { posts } = await importedFolder({
    'zola.toml': 'base_url = "https://old.example"\n',
    'content/secret/_index.md': '+++\ntitle = "S"\ndraft = true\n+++\n',
    'content/secret/a.md': '+++\ntitle = "A"\ndate = 2020-01-01\n+++\nText',
    'content/open/_index.md': '+++\ntitle = "O"\n+++\n',
    'content/open/b.md': '+++\ntitle = "B"\ndate = 2020-01-01\n+++\nText',
  });
  expect(posts.a!.status).toBe('draft');
  expect(posts.b!.status).toBe('published');
});

test('an unlisted post of Eleventy is for those who have its address only', async () => {
  const { result, posts } = await importedFolder(
    { 'posts/a.md': post('date: 2020-01-01', 'eleventyExcludeFromCollections: true') },
    { dialect: 'eleventy' },
  );
  expect(posts.a!.status).toBe('draft');
  expect(result.warnings).toEqual([expect.stringContaining('eleventyExcludeFromCollections')]);
});
