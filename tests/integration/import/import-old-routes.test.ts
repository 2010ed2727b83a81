import { expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';

const post = (more = '') => `---\ntitle: On the Sea\ndate: 2020-01-02\n${more}---\nText`;

/** A data file that gives its folder's posts their addresses. */
const addressesOf = (permalink: string) => `// permalink: '/wrong/{{ slug }}/'
export default { tags: ['posts'], eleventyComputed: { permalink: (data) => ${permalink} } };`;

const eleventy = {
  '.eleventy.js': '',
  'posts/posts.json':
    '{"layout": "post", "tags": "posts", "author": "Ada", "permalink": "/blog/{{ page.fileSlug }}/"}',
  'posts/first.md': post('tags: [post, posts, _list, sea]\n'),
  'posts/2020/second.md': post(
    'permalink: "/{{ page.date | date: \'%Y/%m\' }}/{{ title | slugify }}/index.html"\n',
  ),
  'notes/notes.11tydata.js': addressesOf('`/n/${this.slug(data.slug || data.page.fileSlug)}/index.html`'),
  'notes/third.md': post('slug: own\n'),
  'odd/odd.11tydata.js': addressesOf('`/${data.sub}/${data.title}/`'),
  'odd/fourth.md': post(),
  'odd/fourth.11tydata.json': '{"permalink": "/wrong/{{ slug }}/"}',
  'broken/broken.json': '{',
  'broken/fifth.md': post(),
};

test('Eleventy: a folder’s data file gives the addresses and the author, its tags are lists and no tags', async () => {
  const { result, posts } = await importedFolder(eleventy);
  expect(result).toMatchObject({ dialect: 'eleventy', imported: { posts: 5 }, skipped: [] });
  expect(posts.first).toMatchObject({ redirects: ['/blog/first'], tags: ['sea'], author: 'Ada' });
  expect(posts.second).toMatchObject({ redirects: ['/2020/01/on-the-sea'], author: 'Ada' });
  expect(posts.own).toMatchObject({ redirects: ['/n/own'] });
  expect(posts.fifth).toMatchObject({ redirects: ['/broken/fifth'] });
  expect(result.warnings).toEqual([
    'odd/fourth.md: The address “/${data.sub}/${data.title}/” is a template of the generator and was left out: give the scheme with --permalink.',
  ]);
});

test.each([
  [
    'Astro: the one page that shows posts',
    'src/content/blog/one.md',
    '/writing/one',
    {
      'astro.config.mjs': '',
      'src/pages/writing/[...slug]/index.astro': '',
      'src/pages/tags/[tag].astro': '',
      'src/pages/writing/[...page].astro': '',
    },
  ],
  [
    'Astro: posts at the top, out of a folder of data',
    'src/data/blog/2020/one.md',
    '/2020/one',
    { 'astro.config.ts': '', 'src/pages/[slug].astro': '' },
  ],
  [
    'Astro: of several pages the folder’s own',
    'src/content/blog/one.md',
    '/blog/one',
    { 'astro.config.ts': '', 'src/pages/blog/[id].astro': '', 'src/pages/projects/[id].astro': '' },
  ],
  [
    'Gatsby: the prefix in gatsby-node.js',
    'content/posts/one/index.md',
    '/writing/one',
    {
      'gatsby-config.js': '',
      'gatsby-node.js': 'createNodeField({ node, name: `slug`, value: `/writing${slug}` })',
    },
  ],
  [
    'Docusaurus: a blog at the top',
    'blog/2020-01-02-one.md',
    '/2020/01/02/one',
    {
      'docusaurus.config.ts':
        "export default { presets: [['classic', { docs: false, blog: { path: 'blog', routeBasePath: '/' } }]] };",
    },
  ],
  [
    'Docusaurus: another route and a slug',
    'blog/one.md',
    '/news/own/one',
    { 'docusaurus.config.js': "module.exports = { blog: { routeBasePath: 'news' } };" },
    'slug: own/one\n',
  ],
  [
    'SvelteKit: the route for posts',
    'src/posts/one.md',
    '/notes/one',
    {
      'svelte.config.js': '',
      'src/routes/(site)/notes/[slug]/+page.svelte': '',
      'src/routes/tags/[tag]/+page.svelte': '',
    },
  ],
  [
    'Hexo: a word that a plug-in fills in',
    'source/_posts/one.md',
    '/posts/dc842c8c.html',
    { '_config.yml': 'permalink: posts/:abbrlink.html\n' },
    'abbrlink: dc842c8c\n',
  ],
  [
    'VitePress: another folder of texts',
    'docs/content/posts/one.md',
    '/posts/one.html',
    { 'docs/.vitepress/config.mts': "export default defineConfig({ srcDir: './content' });" },
  ],
])('%s', async (_name, file, address, files, more = '') => {
  const { result, posts } = await importedFolder({ ...files, [file]: post(more) });
  expect(result).toMatchObject({ imported: { posts: 1 }, warnings: [] });
  expect(posts.one!.redirects).toEqual([address]);
});

test('an address that cannot be made is named', async () => {
  const { result, posts } = await importedFolder({
    '_config.yml': 'permalink: :abbrlink/\n',
    'source/_posts/one.md': post(),
  });
  expect(posts.one!.redirects).toEqual([]);
  expect(result.warnings).toEqual([
    'source/_posts/one.md: The old address is unknown: the post has not all that the scheme “:abbrlink/” names.',
  ]);
});
