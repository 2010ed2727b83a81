import { beforeAll, describe, expect, test } from 'vitest';
import { picture } from '#tests/support/content-folders.ts';
import { importedFolder, type ImportedFolder } from '#tests/support/imported-folder.ts';

const pelicanBlog = {
  'pelicanconf.py':
    "AUTHOR = 'Ada'\nSITEURL = ''\nPATH = 'content'\nARTICLE_URL = '{date:%Y}/{date:%m}/{slug}.html'\n",
  'publishconf.py': "from pelicanconf import *\nSITEURL = 'https://blog.example'\n",
  'AGENTS.md': '# For machines',
  'content/linux/gajim_141.md': `Title: Gajim 1.4, a release
Date: 2022-05-25 11:40
Modified: 2022-06-01
Tags: im, xmpp
Authors: Lovelace, Ada; Hopper, Grace
Summary: A chat
    program.
Image: {static}/images/window.png

[Second]({filename}/apps/second.md#more), [relative](|filename|../apps/second.md), [about]({filename}/pages/about.md),
[tag]({tag}im), [list]({category}linux), [home]({index}).

![Window]({static}/images/window.png){: .crisp}

    :::python
    print(1)

    print(2)

Between.

    no language

!!! note "Mind"
    First.

    Second, not code.

After.
`,
  'content/apps/second.md':
    'title: Second\ndate: 2022-05-26\ncategory: Apps\nslug: two\nstatus: hidden\n\nText\n',
  'content/pages/about.md': 'Title: About\nDate: 2020-01-01\n\nMe\n',
  'content/images/window.png': await picture(1),
};

const gajimAsMarkdown = `[Second](/posts/two#more), [relative](/posts/two), [about](/about),
[tag](/tags/im), [list](/categories/linux), [home](/).

![Window](window.png)

\`\`\`python
print(1)

print(2)
\`\`\`

Between.

    no language

> [!NOTE] Mind
> First.
>
> Second, not code.

After.`;

describe('Pelican', () => {
  let imported: ImportedFolder;
  beforeAll(async () => {
    imported = await importedFolder(pelicanBlog);
  });

  test('every article and page is imported with its pictures', () => {
    expect(imported.result).toMatchObject({
      dialect: 'pelican',
      imported: { posts: 2, pages: 1, media: 1 },
      skipped: [],
    });
    const { two, '/about': about } = imported.posts;
    expect(two).toMatchObject({ status: 'draft', category: 'Apps' });
    expect(about).toMatchObject({ status: 'published', redirects: ['/pages/about.html'] });
  });

  test('the first lines of an article give its fields, the settings its old address', () => {
    expect(imported.posts['gajim-1-4-a-release']).toMatchObject({
      title: 'Gajim 1.4, a release',
      day: '2022-05-25',
      updated: '2022-06-01',
      category: 'linux',
      tags: ['im', 'xmpp'],
      author: 'Lovelace, Ada',
      cover: 'window.png',
      redirects: ['/2022/05/gajim-1-4-a-release.html'],
    });
  });

  test('links to files of the content, named code and notes become Markdown', () => {
    const { body } = imported.posts['gajim-1-4-a-release']!;
    expect(body.replace(/\/uploads\/[\w/.]+/, 'window.png')).toBe(gajimAsMarkdown);
  });

  test('is recognised by its files alone', async () => {
    const { result, posts } = await importedFolder({
      'a.md': 'Title: A post\nDate: 2020-01-02 03:04\nCategory: Sea\n\n# Heading\n',
    });
    expect(result).toMatchObject({ dialect: 'pelican', imported: { posts: 1 }, warnings: [] });
    expect(posts['a-post']).toMatchObject({ day: '2020-01-02', category: 'Sea', body: '# Heading' });
  });
});

const nuxtBlog = {
  'nuxt.config.ts': "export default defineNuxtConfig({ site: { url: 'https://nuxt.example' } })",
  'content/1.blogs/8. float.md': `---
title: Float
date: 19th Sep 2025
image: /blogs-img/blog8.png
published: true
---
::alert{type="warning"}
Mind **this**.

\`\`\`ts [nuxt.config.ts]
export default {}
\`\`\`
::

:::card{title="Outer"}
---
icon: IconNuxt
---
#description
  ::callout
  Inner
  ::
:::

::video-player{src="a.vue"}
::

::youtube{id="dQw4w9WgXcQ"}
::

At 10:30 :icon{name="x"} see :badge[New]{color="red"} and [more](/blogs/other){target="_blank"}, [red]{.text-red} 👍 :smile:
`,
  'content/1.blogs/other.md': '---\ntitle: Other\ndate: 2025-01-01\n---\nx',
  'public/blogs-img/blog8.png': await picture(2),
};

const nuxtAsMarkdown = `> [!WARNING]
> Mind **this**.
>
> \`\`\`ts title="nuxt.config.ts"
> export default {}
> \`\`\`

**Outer**

> [!NOTE]
> Inner

<https://www.youtube.com/watch?v=dQw4w9WgXcQ>

At 10:30  see New and [more](/posts/other), red 👍 :smile:`;

describe('Nuxt Content', () => {
  let imported: ImportedFolder;
  beforeAll(async () => {
    imported = await importedFolder(nuxtBlog);
  });

  test('numbers before names are no part of an address', () => {
    expect(imported.result).toMatchObject({ dialect: 'nuxt', imported: { posts: 2, media: 1 } });
    const { float } = imported.posts;
    expect(float).toMatchObject({ day: '2025-09-19', cover: 'blog8.png', redirects: ['/blogs/float'] });
  });

  test('components become Markdown, or are left out and named', () => {
    expect(imported.posts.float!.body).toBe(nuxtAsMarkdown);
    expect(imported.result.warnings).toEqual([
      'content/1.blogs/8. float.md: ::card was left out: components do not run here.',
      'content/1.blogs/8. float.md: ::video-player was left out: components do not run here.',
      'content/1.blogs/8. float.md: :badge was left out: components do not run here.',
    ]);
  });
});

const vitePressBlog = {
  'docs/.vitepress/config.mts':
    "export default { base: '/blog/', sitemap: { hostname: 'https://vp.example' } }",
  'docs/posts/one.md': `---
title: One
date: 2024-03-04
---
<script setup>
import Demo from './Demo.vue'

const x = 1
</script>

# One

[[toc]]

::: details More
Hidden
:::

::: code-group
\`\`\`js{2} [a.js]
a
\`\`\`
:::

::: tip Title
[two](./two.md)
:::

<Demo />
`,
  'docs/posts/two.md': '---\ndate: 2024-03-05\n---\n# Two\n\n![x](/x.png)',
  'docs/public/x.png': await picture(3),
};

const vitePressAsMarkdown = `# One

<details><summary>More</summary>

Hidden

</details>

\`\`\`js title="a.js" {2}
a
\`\`\`

> [!TIP] Title
> [two](/posts/two)`;

test('VitePress: containers, labels of code, scripts and addresses', async () => {
  const { result, posts } = await importedFolder(vitePressBlog);
  expect(result).toMatchObject({ dialect: 'vitepress', imported: { posts: 2, media: 1 } });
  expect(posts.one).toMatchObject({ redirects: ['/blog/posts/one.html'] });
  expect(posts.one!.body).toBe(vitePressAsMarkdown);
  expect(posts.two!.title).toBe('Two');
});

test('SvelteKit: posts as routes and in a folder', async () => {
  const { result, posts } = await importedFolder({
    'svelte.config.js': 'export default {}',
    'src/routes/(site)/blog/first-post/+page.md': `---
title: First
date: 2023-04-05
---
<script>
  import Chart from '$lib/Chart.svelte';
</script>

Text <Chart data={x} /> and <script context="module">let y</script>more.
`,
    'src/posts/second.svx': '---\ntitle: Second\ndate: 2023-04-06\n---\n<Callout type="tip">Yes</Callout>',
  });
  expect(result).toMatchObject({ dialect: 'sveltekit', imported: { posts: 2 } });
  expect(posts['first-post']).toMatchObject({ title: 'First', redirects: ['/blog/first-post'] });
  expect(posts['first-post']!.body).toBe('Text  and more.');
  expect(posts.second!.body).toBe('> [!TIP]\n> Yes');
});
