import { expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';

const dated = (title: string, more = '') => `---\ntitle: ${title}\ndate: 2020-01-01\n${more}---\nText`;

test.each([
  ['jekyll', '_config.yml', '_drafts/secret.md', '_posts/2020-01-01-open.md'],
  ['hexo', 'source/_data/x.yml', 'source/_drafts/secret.md', 'source/_posts/open.md'],
])(
  'what %s keeps in _drafts stays a draft, also with a date',
  async (dialect, configuration, secret, open) => {
    const { result, posts } = await importedFolder({
      [configuration]: 'title: x',
      [secret]: dated('Secret'),
      [secret.replace('secret', 'idea')]: '---\ntitle: Idea\n---\nx',
      [secret.replace('secret', 'said')]: dated('Said', 'status: published\n'),
      [open]: dated('Open'),
    });
    expect(result).toMatchObject({ dialect, imported: { posts: 4 }, warnings: [] });
    expect(posts.secret).toMatchObject({ status: 'draft', redirects: [] });
    expect(posts.idea!.status).toBe('draft');
    expect(posts.said!.status).toBe('published');
    expect(posts.open!.status).toBe('published');
  },
);

test.each([
  ['password: hunter2', 'It has a password'],
  ['private: true', 'It is “private”'],
  ['unlisted: true', 'It is “unlisted”'],
  ['hide: true', 'It is “hide”'],
  ['headless: true', 'It is “headless”'],
  ['publish: false', 'It says “publish: false”'],
  ['permalink: false', 'It says “permalink: false”'],
  ['build:\n  render: never', 'The generator was told not to build it'],
])('a post with %j was not for everybody and becomes a draft', async (field, reason) => {
  const { result, posts } = await importedFolder({ 'a.md': dated('A', `${field}\n`) });
  expect(posts.a).toMatchObject({ status: 'draft', redirects: [] });
  expect(result.warnings).toEqual([`a.md: ${reason}: the post becomes a draft, it would be public.`]);
});

test('a post whose time had ended on the old site is archived', async () => {
  const { posts } = await importedFolder({
    'a.md': dated('A', 'expiryDate: 2021-01-01\n'),
    'b.md': dated('B', 'expiryDate: 2999-01-01\n'),
  });
  expect([posts.a!.status, posts.b!.status]).toEqual(['archived', 'published']);
});

test('collections of Jekyll that are pages of the site come as pages, with their addresses', async () => {
  const { result, posts } = await importedFolder({
    '_config.yml':
      'permalink: pretty\ncollections:\n  recipes:\n    output: true\n  docs:\n    output: true\n    permalink: /:collection/d/:name.html\n  notes:\n    output: false\n',
    '_recipes/soups/leek.md': '---\ntitle: Leek\n---\nBoil. [Bread](/recipes/bread/)',
    '_recipes/bread.md': dated('Bread'),
    '_docs/start.md': '---\ntitle: Start\n---\nx',
    '_notes/own.md': '---\ntitle: Own\n---\nx',
  });
  expect(result).toMatchObject({ dialect: 'jekyll', imported: { posts: 2, pages: 2 } });
  expect(posts['/leek']).toMatchObject({ status: 'published', redirects: ['/recipes/soups/leek'] });
  expect(posts['/leek']!.body).toContain('[Bread](/posts/bread)');
  expect(posts.bread).toMatchObject({ status: 'published', redirects: ['/recipes/bread'] });
  expect(posts['/start']!.redirects).toEqual(['/docs/d/start.html']);
  expect(posts.own!.status).toBe('draft');
});

test.each([
  ['hugo.toml', 'content/posts/a.md', 'publishDate: 2030-05-01T08:00:00Z'],
  ['hugo.toml', 'content/posts/a.md', 'publishdate: "2030-05-01T08:00:00Z"'],
  ['x.txt', 'a.md', 'publish_date: 2030-05-01T08:00:00Z'],
])('a post that %s holds back (%s, %s) is scheduled, whatever its date', async (site, file, field) => {
  const { posts } = await importedFolder({ [site]: 'title = "x"', [file]: dated('A', `${field}\n`) });
  expect(posts.a).toMatchObject({ status: 'scheduled', publishedAt: new Date('2030-05-01T08:00:00Z') });
});

test('a post whose time to be shown has come keeps its date', async () => {
  const field = 'publishDate: 2021-05-01T08:00:00Z\n';
  const { posts } = await importedFolder({ 'hugo.toml': '', 'content/posts/a.md': dated('A', field) });
  expect(posts.a).toMatchObject({ status: 'published', publishedAt: new Date('2020-01-01T00:00:00Z') });
});
