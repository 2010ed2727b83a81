import { expect, test } from 'vitest';
import { picture } from '#tests/support/content-folders.ts';
import { importedFolder } from '#tests/support/imported-folder.ts';

const post = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nx\n`;

test('Jekyll reads days without zeros in the names of files', async () => {
  const { result, posts } = await importedFolder({
    '_config.yml': 'url: https://old.example\npermalink: /:year/:month/:day/:title.html\n',
    '_posts/2021-9-1-nozero.md': post('title: Nozero'),
    '_posts/2021-10-2-half.md': post('title: Half'),
    '_posts/2021-13-4-none.md': post('date: 2021-01-01'),
    '_posts/2021-09-04-colon.md':
      '---\ntitle: C\n---\n[p]({% post_url 2021-9-1-nozero %}) [q]({% post_url 2021-09-01-nozero %}) [r]({% link _posts/2021-9-1-nozero.md %}) [s](/2021/09/01/nozero.html) [t]({% post_url 2021-10-02-half %}) [u](nozero.html) [v](../01/nozero.html)',
  });
  expect(result).toMatchObject({ imported: { posts: 4 }, skipped: [] });
  expect(posts.nozero).toMatchObject({
    status: 'published',
    day: '2021-09-01',
    redirects: ['/2021/09/01/nozero.html'],
  });
  expect(posts.half).toMatchObject({ day: '2021-10-02', redirects: ['/2021/10/02/half.html'] });
  expect(posts['2021-13-4-none']).toMatchObject({ day: '2021-01-01' });
  const to = (slug: string) => `(/posts/${slug})`;
  expect(posts.colon!.body).toBe(
    `[p]${to('nozero')} [q]${to('nozero')} [r]${to('nozero')} [s]${to('nozero')} [t]${to('half')} [u](nozero.html) [v]${to('nozero')}`,
  );
});

test('the address of an index.html is that of its folder too', async () => {
  const { result, posts } = await importedFolder({
    'eleventy.config.js': 'export default function () {}',
    'blog/a.md': post('date: 2021-01-01', 'permalink: /el/elsewhere/index.html'),
    'blog/b.md':
      '---\ndate: 2021-01-01\n---\n[a](/el/elsewhere/) [a](/el/elsewhere/index.html) [b](/blog/b/index.html)',
    'blog/c.md': post('date: 2021-01-01', 'permalink: index.html'),
    'blog/d.md': post('date: 2021-01-01', 'aliases: [/old/index.htm]'),
  });
  expect(result.skipped).toEqual([]);
  expect(posts.elsewhere!.redirects).toEqual(['/el/elsewhere', '/el/elsewhere/index.html']);
  expect(posts.b!.body).toBe('[a](/posts/elsewhere) [a](/posts/elsewhere) [b](/posts/b)');
  expect(Object.values(posts).flatMap(({ redirects }) => redirects)).toEqual(
    expect.arrayContaining(['/old', '/old/index.htm']),
  );
});

test('Jekyll: only folders above `_posts` are in addresses', async () => {
  const files = {
    '_posts/sub/2021-01-01-below.md': post('categories: [Dev]'),
    'essays/_posts/sub/deep/2021-01-02-both.md': post('title: Both'),
    'a/b/_posts/2021-01-03-above.md': post('title: Above'),
  };
  const { posts } = await importedFolder({ '_config.yml': 'title: X\n', ...files });
  expect(posts.below!.redirects).toEqual(['/dev/2021/01/01/below.html']);
  expect(posts.both!.redirects).toEqual(['/essays/2021/01/02/both.html']);
  expect(posts.above!.redirects).toEqual(['/a/b/2021/01/03/above.html']);
  const alone = await importedFolder(
    { '_config.yml': 'title: X\n', '_posts/sub/2021-01-01-below.md': post('title: X') },
    { below: '_posts' },
  );
  expect(alone.posts.below!.redirects).toEqual(['/2021/01/01/below.html']);
});

test.each([
  ['zola', 'config.toml', 'base_url = "https://old.example"'],
  ['hugo', 'hugo.toml', 'baseURL = "https://old.example/"'],
])('%s: relative addresses count from the page, then from the file', async (dialect, name, configuration) => {
  const { result, posts } = await importedFolder({
    [name]: configuration,
    'content/z.md':
      '+++\ntitle = "Z"\ndate = 2021-01-01\n+++\n![a](../shot.png) ![b](beside.png) ![c](../near/x.png) [y](../blog/y/)',
    'content/blog/y.md': '+++\ndate = 2021-01-01\n+++\n![a](../../shot.png) ![b](../near.png) [x](../x/)',
    'content/blog/x.md': '+++\ndate = 2021-01-01\ndraft = true\n+++\n![a](../../shot.png)',
    'content/x.md': '+++\ndate = 2021-01-01\n+++\nx',
    'content/bundle/index.md': '+++\ndate = 2021-01-01\n+++\n![a](own.png) ![b](../shot.png)',
    'content/bundle/own.png': await picture(4),
    'content/beside.png': await picture(2),
    'static/shot.png': await picture(1),
    'static/near/x.png': await picture(3),
    'static/blog/near.png': await picture(5),
  });
  expect(result).toMatchObject({ dialect, skipped: [] });
  expect(result.warnings.filter((warning) => warning.includes('no such file'))).toEqual([]);
  expect(posts.z!.body).toMatch(
    /^!\[a\]\(\/uploads\/\S+\) !\[b\]\(\/uploads\/\S+\) !\[c\]\(\/uploads\/\S+\) \[y\]\(\/posts\/y\)$/,
  );
  const ofBlog = Object.values(posts).find(({ status }) => status === 'draft')!;
  expect(posts.y!.body).toMatch(/^!\[a\]\(\/uploads\/\S+\) !\[b\]\(\/uploads\/\S+\) \[x\]\(\/posts\/x\)$/);
  expect(ofBlog.body).toMatch(/^!\[a\]\(\/uploads\/\S+\)$/);
});

test('Jekyll and Eleventy: pictures beside the page, also below a base path', async () => {
  const jekyll = await importedFolder({
    '_config.yml': 'url: https://old.example\nbaseurl: /site\n',
    '_posts/2021-01-01-a.md': '---\ntitle: A\n---\n![a](../../../shot.png) ![b](c.png)',
    'shot.png': await picture(1),
    '2021/01/01/c.png': await picture(2),
  });
  expect(jekyll.posts.a!.body).toMatch(/^!\[a\]\(\/uploads\/\S+\) !\[b\]\(\/uploads\/\S+\)$/);
  const eleventy = await importedFolder({
    'eleventy.config.js': 'export default function () {}',
    'posts/a.md': '---\ndate: 2021-01-01\n---\n![a](../../img/shot.png)',
    'img/shot.png': await picture(1),
  });
  expect(eleventy.posts.a!.body).toMatch(/^!\[a\]\(\/uploads\/\S+\)$/);
});
