import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { importedFolder } from '#tests/support/imported-folder.ts';

const docusaurusBlog = {
  'docusaurus.config.js': 'module.exports = {}',
  'blog/authors.yml': 'seb:\n  name: Sebastien\n',
  'blog/2021-08-26-welcome/index.mdx': `---
slug: welcome
authors: [seb]
---
import Tabs from '@theme/Tabs';
import {
  A,
} from './a';

{/* truncate */}

<Tabs groupId="x">inside</Tabs>

:::tip[My tip]
Use **it**

\`\`\`js
import x from 'y';
\`\`\`
:::
`,
};

test('Docusaurus: MDX, admonitions and authors by their keys', async () => {
  const docusaurus = await importedFolder(docusaurusBlog);
  expect(docusaurus.result).toMatchObject({ dialect: 'docusaurus', imported: { posts: 1 } });
  expect(docusaurus.posts.welcome).toMatchObject({
    day: '2021-08-26',
    author: 'Sebastien',
    redirects: ['/blog/welcome'],
  });
  expect(docusaurus.posts.welcome!.body.trim()).toBe(
    "inside\n\n> [!TIP] My tip\n> Use **it**\n>\n> ```js\n> import x from 'y';\n> ```",
  );
});

test('Astro: its own names of fields, links and pictures', async () => {
  const astro = await importedFolder({
    'astro.config.mjs': '',
    'src/content/blog/one.md':
      '---\ntitle: One\npubDate: Jul 08 2022\nupdatedDate: 2022-08-01\nheroImage: /hero.png\n---\n[two](./two.mdx)',
    'src/content/blog/two.mdx':
      '---\ntitle: Two\npubDate: 2022-07-09\n---\n<Image src="/hero.png" alt="Hero" />',
    'public/hero.png': await picture(1),
  });
  expect(astro.result).toMatchObject({ dialect: 'astro', imported: { posts: 2, media: 1 }, warnings: [] });
  expect(astro.posts.one).toMatchObject({
    day: '2022-07-08',
    cover: 'hero.png',
    body: '[two](/posts/two)',
    redirects: ['/blog/one'],
  });
  expect(astro.posts.two!.body).toMatch(/^!\[Hero\]\(\/uploads\//);
});

test('Gatsby: a folder for each post', async () => {
  const gatsby = await importedFolder({
    'gatsby-config.ts': '',
    'content/blog/hello-world/index.md': '---\ntitle: Hello\ndate: "2015-05-01T22:12:03.284Z"\n---\nx',
  });
  expect(gatsby.posts['hello-world']).toMatchObject({ day: '2015-05-01', redirects: ['/hello-world'] });
});

test('Hexo: tag plug-ins and addresses', async () => {
  const hexo = await importedFolder({
    '_config.yml': 'permalink: :year/:month/:day/:title/\n',
    'scaffolds/post.md': '---\ntitle: {{ title }}\n---\n',
    'source/_posts/one.md':
      '---\ntitle: One\ndate: 2020-01-02 03:04:05\ncategories: [[A, B], [C]]\n---\n{% asset_img cat.png A cat %} {% post_link two "See two" %}\n\n{% codeblock lang:js %}\nx\n{% endcodeblock %}\n\n![B](cat.png)',
    'source/_posts/one/cat.png': await picture(1),
    // Hexo needs no line before the front matter.
    'source/_posts/two.md':
      'title: Two\ndate: 2020-01-03\n---\n<!-- more -->x{% img left /c.png 10 "Title" "Description" %}\n\n{% pullquote left %}\npulled\n{% endpullquote %}\n\n{% blockquote Ada, Notes https://n.example/ Page %}\nquoted\n{% endblockquote %}\n\n{% link Site https://l.example true %} {% post_path one %} {% asset_link cat.png A cat %} {% iframe https://i.example/ 10 20 %}',
  });
  expect(hexo.result).toMatchObject({ dialect: 'hexo', imported: { posts: 2, media: 1 } });
  expect(hexo.posts.one).toMatchObject({ category: 'A', tags: ['B', 'C'], redirects: ['/2020/01/02/one'] });
  expect(hexo.posts.one!.body).toMatch(/^!\[A cat\]\(\/uploads\/\S+\) \[See two\]\(\/posts\/two\)/);
  expect(hexo.posts.one!.body).toMatch(/```js\nx\n```\n\n!\[B\]\(\/uploads\/\S+\)$/);
  expect(hexo.posts.two!.body.replace(/\/uploads\/[\w/.]+/, 'cat.png')).toBe(
    '<!-- more -->x![Description](/c.png "Title")\n\n> pulled\n\n> quoted\n>\n> — Ada, Notes [Page](https://n.example/)\n\n[Site](https://l.example) /posts/one [A cat](cat.png) \n\n<https://i.example/>',
  );
});

test('Eleventy: its filter for addresses', async () => {
  const eleventy = await importedFolder({
    'eleventy.config.js': '',
    'articles/2018-05-01-first.md': '---\ntitle: First\ntags: [post]\n---\n{{ "/x/" | url }}',
  });
  expect(eleventy.posts.first).toMatchObject({ body: '/x/', redirects: ['/articles/first'] });
});

test('Obsidian: wiki links, embedded pictures, callouts and aliases', async () => {
  const { result, posts } = await importedFolder({
    '.obsidian/app.json': '{}',
    'Notes/My note.md':
      '---\ncreated: 2024-01-02\naliases: [The note]\n---\n![[Cat photo.png|200]] ![[Cat photo.png|A cat|200]] ==marked== %%hidden%% `[[code]]`\n\n> [!warning] Careful\n> text\n\n[[Other#Some part|there]] [[nowhere]]',
    'Other.md': '---\ncreated: 2024-01-03\n---\n[[the note]] and [[My note]]',
    'files/Cat photo.png': await picture(1),
  });
  expect(result).toMatchObject({
    dialect: 'obsidian',
    imported: { posts: 2, media: 1, redirects: 0 },
    warnings: ['Notes/My note.md: The link to “nowhere” leads to no file of the folder; its text stays.'],
  });
  expect(posts['my-note']!.body.replace(/\/uploads\/[\w/.]+/g, 'x.png')).toBe(
    '![](x.png) ![A cat](x.png) <mark>marked</mark>  `[[code]]`\n\n> [!WARNING] Careful\n> text\n\n[there](/posts/other#some-part) nowhere',
  );
  expect(posts.other!.body).toBe('[the note](/posts/my-note) and [My note](/posts/my-note)');
});

test('a folder without a generator: links between files, --permalink and --media', async () => {
  const media = await folderWith({ 'images/a.png': await picture(1) });
  const files = {
    'a.md':
      '---\ntitle: A\ndate: 2020-01-02\n---\n[b](./b.md#x) [gone](gone.md) ![](/images/a.png) ![](/images/none.png)',
    'b.md': '---\ntitle: B\ndate: 15 September 2020\n---\nx',
    '2020-03-04-c.md': '---\ntitle: C\ndate: someday\n---\nx',
    'd.mdx': "---\ntitle: D\ndate: 2020-01-02\n---\nimport Box from './box'\n\n<Box>**kept**</Box>",
  };
  const { result, posts } = await importedFolder(files, { permalink: '/:year/:month/:day/:title', media });
  expect(result).toMatchObject({ dialect: 'markdown', imported: { posts: 4, media: 1, redirects: 4 } });
  expect(posts.d!.body).toBe('**kept**');
  expect(posts.a!.redirects).toEqual(['/2020/01/02/a']);
  expect(posts.a!.body).toMatch(
    /^\[b\]\(\/posts\/b#x\) \[gone\]\(gone\.md\) !\[\]\(\/uploads\/\S+\) !\[\]\(\/images\/none\.png\)$/,
  );
  expect(posts.b!.day).toBe('2020-09-15');
  expect(posts.c!.day).toBe('2020-03-04');
  expect(result.warnings).toEqual([
    '2020-03-04-c.md: The date “someday” cannot be read: the one of the file’s name counts.',
    'a.md: The link to “gone.md” leads to no post of the folder.',
    'a.md: /images/none.png: there is no such file.',
    'd.mdx: <Box> was left out: components do not run here.',
  ]);
});

test('--dialect names the generator of a folder that does not', async () => {
  const files = { 'a.md': '---\ndate: 2020-01-02\n---\n{{< x >}}' };
  const hugo = await importedFolder(files, { dialect: 'hugo' });
  expect(hugo.result.dialect).toBe('hugo');
  expect(hugo.result.warnings).toContain('a.md: The shortcode “x” is kept as text.');
});

const withFarPictures = {
  '2020-01-02-one.md':
    '---\ntitle: One\ncover: https://far.example/cover.png\n---\n![a](https://far.example/img/a.png) ![b](https://far.example/b.png) [c](https://far.example/page)',
  'about.md': '---\ntitle: About\nlayout: page\n---\nUs',
  'media/img/a.png': await picture(1),
  'media/cover.png': await picture(2),
};
const scheme = { permalink: '/:year/:title' };

test('pictures elsewhere are named, and a page without a date has no dated address', async () => {
  const bare = await importedFolder(withFarPictures, scheme);
  expect(bare.result.warnings).toEqual([
    '2020-01-02-one.md: https://far.example/img/a.png stays as it is: it is elsewhere on the web.',
    '2020-01-02-one.md: https://far.example/b.png stays as it is: it is elsewhere on the web.',
    '2020-01-02-one.md: The cover https://far.example/cover.png is not a file of the folder and was left out.',
  ]);
  expect(bare.posts.one).toMatchObject({ redirects: ['/2020/one'] });
  expect(bare.posts['/about']).toMatchObject({ status: 'published', redirects: [] });
});

test('pictures elsewhere come along where the media folder has them', async () => {
  const folder = await folderWith(withFarPictures);
  const media = path.join(folder, 'media');
  const { result, posts } = await importedFolder(withFarPictures, { ...scheme, media });
  expect(result.warnings).toEqual([
    '2020-01-02-one.md: https://far.example/b.png stays as it is: it is elsewhere on the web.',
  ]);
  expect(posts.one).toMatchObject({
    cover: 'cover.png',
    body: expect.stringMatching(/^!\[a\]\(\/uploads\/\S+\) !\[b\]\(https:\/\/far/) as string,
  });
});

test('an old address that ends in .html gives the slug without it, and Svelte’s .svx files are posts', async () => {
  const { posts, result } = await importedFolder({
    'posts/a.md': '---\ntitle: A\ndate: 2024-05-06\nurl: /special/other.html\n---\nx',
    'posts/b.md': '---\ntitle: B\ndate: 2024-05-06\npermalink: /old/page/index.html\n---\nx',
    'posts/c.svx': '---\ntitle: C\ndate: 2024-05-06\n---\n<Box>Inside</Box>\n\n[A](./a.md)',
  });
  expect(result).toMatchObject({ imported: { posts: 3 }, ignored: {} });
  expect(posts.other!.redirects).toEqual(['/special/other.html']);
  expect(posts.page!.redirects).toEqual(['/old/page', '/old/page/index.html']);
  expect(posts.c!.body).toBe('Inside\n\n[A](/posts/other)');
});

const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\nUs`;

test('a page that Hugo shows without a date is a page, published as its status says', async () => {
  const hugo = await importedFolder({
    'hugo.toml': 'baseURL = "https://old.example/"',
    'content/about.md': page('About'),
    'content/imprint/index.md': page('Imprint'),
    'content/hidden.md': page('Hidden', 'draft: true\n'),
    'content/dated.md': page('Dated', 'date: 2020-01-02\n'),
    'content/posts/undated.md': page('Undated'),
    'content/posts/json.md': '{\n  "title": "JSON",\n  "date": "2020-02-03",\n  "tags": ["a"]\n}\n\nText',
  });
  expect(hugo.result).toMatchObject({ imported: { posts: 3, pages: 3 }, skipped: [] });
  expect(hugo.posts['/about']).toMatchObject({ status: 'published', title: 'About' });
  expect(hugo.posts['/imprint']).toMatchObject({ status: 'published' });
  expect(hugo.posts['/hidden']).toMatchObject({ status: 'draft' });
  expect(hugo.posts.dated).toMatchObject({ day: '2020-01-02', redirects: ['/dated'] });
  expect(hugo.posts.json).toMatchObject({ day: '2020-02-03', tags: ['a'], body: 'Text' });
  expect(hugo.result.warnings).toEqual(['content/posts/undated.md: No date: the post becomes a draft.']);
});

test('so is a page of Astro, Zola or Hexo, but not of a folder without a generator', async () => {
  const astro = await importedFolder({
    'astro.config.mjs': '',
    'src/pages/about.md': page('About', 'layout: ../layouts/Page.astro\n'),
    'src/content/blog/one.md': page('One', 'pubDate: 2020-01-02\n'),
  });
  expect(astro.result).toMatchObject({ imported: { posts: 1, pages: 1 }, warnings: [] });
  const zola = await importedFolder({
    'config.toml': 'base_url = "https://old.example"',
    'content/about.md': '+++\ntitle = "About"\n+++\nUs',
  });
  expect(zola.posts['/about']).toMatchObject({ status: 'published' });
  const hexo = await importedFolder({
    '_config.yml': 'url: https://old.example',
    'source/about/index.md': page('About', 'date: 2020-01-02 10:00:00\n'),
    'source/_posts/one.md': page('One', 'date: 2020-01-02 10:00:00\n'),
  });
  expect(hexo.result).toMatchObject({ dialect: 'hexo', imported: { posts: 1, pages: 1 }, warnings: [] });
  expect(hexo.posts['/about']).toMatchObject({ status: 'published', day: '2020-01-02' });
  const plain = await importedFolder({ 'content/about.md': page('About') });
  expect(plain.posts.about).toMatchObject({ status: 'draft' });
});

test('Jekyll’s defaults name the author; its pages keep their addresses', async () => {
  const jekyll = await importedFolder({
    '_config.yml': `url: https://old.example
defaults:
  - scope: { path: '', type: posts }
    values: { author: Ada Lovelace, layout: post, image: /none.png }
  - scope: { path: _posts/guests }
    values: { author: Grace Hopper }
  - wrong
`,
    '_posts/2020-01-02-one.md': '---\ntitle: One\n---\nText',
    '_posts/guests/2020-01-03-two.md': '---\ntitle: Two\n---\nText',
    '_posts/guests/2020-01-04-own.md': '---\ntitle: Own\nauthor: Own Name\n---\nText',
    'about.md': '---\ntitle: About\nlayout: default\n---\nUs',
    'notes.md': 'No front matter, so Jekyll copies it.',
  });
  expect(jekyll.posts.one).toMatchObject({ author: 'Ada Lovelace', cover: undefined });
  expect(jekyll.posts.two).toMatchObject({ author: 'Grace Hopper' });
  expect(jekyll.posts.own).toMatchObject({ author: 'Own Name' });
  expect(jekyll.posts['/about']).toMatchObject({ status: 'published', redirects: ['/about.html'] });
  expect(jekyll.posts.notes).toMatchObject({ status: 'draft' });
});

test('Eleventy: a word in place of a date means the date of the file', async () => {
  const eleventy = await importedFolder({
    '.eleventy.js': '',
    'posts/one.md': '---\ntitle: One\ndate: Created\n---\nText',
    'posts/two.md': '---\ntitle: Two\ndate: git Last Modified\n---\nText',
  });
  expect(eleventy.result).toMatchObject({ imported: { posts: 2 }, skipped: [] });
  // The clock of the tests is behind that of the files.
  expect(eleventy.posts.one!.status).toBe('scheduled');
});

test('a picture beside a file of its name is the picture, not a link to the post', async () => {
  const { result, posts } = await importedFolder({
    'a.png.md': '---\ntitle: A\ndate: 2024-01-02\n---\n![A](a.png)',
    'a.png': await picture(1),
  });
  expect(result).toMatchObject({ imported: { posts: 1, media: 1 }, warnings: [] });
  expect(posts['a-png']!.body).toMatch(/^!\[A\]\(\/uploads\//);
});
