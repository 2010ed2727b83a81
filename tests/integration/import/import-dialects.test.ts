import { beforeAll, describe, expect, test } from 'vitest';
import { picture } from '#tests/support/content-folders.ts';
import { importedFolder, type ImportedFolder } from '#tests/support/imported-folder.ts';

const jekyllBlog = {
  '_config.yml': 'title: Blog\nurl: https://old.example\nbaseurl: /blog\n',
  '_layouts/post.md': '# no post',
  'README.md': '# About this repository',
  'about.md': '---\nlayout: page\ntitle: About\n---\nMe',
  'assets/cat.png': await picture(1),
  '_data/authors.yml': 'ada:\n  name: Ada Lovelace\n',
  '_drafts/idea.md': '---\ntitle: Idea\n---\nx',
  '_posts/2014-09-15-first-post.markdown': `---
layout: post
title: First
categories: code rust
author: ada
last_modified_at: 2015-01-02
---
![Cat]({{ site.baseurl }}/assets/cat.png)

See [second]({% post_url 2014-10-01-second %}) and [again]({{ "/old/second/" | relative_url }}).

{% highlight ruby linenos %}
def x = "\`a\` {% raw %}"
{% endhighlight %}

{% include sidebar.html %}
{% youtube dQw4w9WgXcQ %}
{% unknown x %}

## Heading {#top}
{: .lead}

    {{ code }}
`,
  '_posts/2014-10-01-second.md':
    '---\ntitle: Second\npermalink: /old/second/\n---\n[f]({{site.url}}/blog/code/rust/2014/09/15/first-post.html#top)',
  '_posts/2014-11-01-third.html': '---\ntitle: Third\n---\n<p>Some <b>HTML</b></p>',
};

const firstPostAsMarkdown = `![Cat](/uploads/x.png)

See [second](/posts/second) and [again](/posts/second).

\`\`\`ruby
def x = "\`a\` {% raw %}"
\`\`\`

<https://www.youtube.com/watch?v=dQw4w9WgXcQ>

{% unknown x %}

## <a id="top"></a>Heading

    {{ code }}`;

describe('Jekyll', () => {
  let imported: ImportedFolder;
  beforeAll(async () => {
    imported = await importedFolder(jekyllBlog);
  });

  test('posts, drafts and pages are imported, other files counted', () => {
    expect(imported.result).toMatchObject({
      dialect: 'jekyll',
      imported: { posts: 4, pages: 1, media: 1 },
      skipped: [],
      ignored: { '.yml': 2, '.md': 2 },
    });
    expect(imported.posts.third!.body).toBe('Some **HTML**');
    expect(imported.posts.idea!.status).toBe('draft');
  });

  test('file name and front matter give the fields of a post, the permalink its old address', () => {
    expect(imported.posts['first-post']).toMatchObject({
      status: 'published',
      day: '2014-09-15',
      updated: '2015-01-02',
      author: 'Ada Lovelace',
      category: 'code',
      tags: ['rust'],
      redirects: ['/blog/code/rust/2014/09/15/first-post.html'],
    });
    expect(imported.posts.second).toMatchObject({ redirects: ['/old/second'] });
  });

  test('Liquid and links between posts become Markdown; what cannot is named', () => {
    const { 'first-post': first, second } = imported.posts;
    expect(first!.body.replace(/\/uploads\/[\w/.]+/, '/uploads/x.png')).toBe(firstPostAsMarkdown);
    expect(second!.body).toBe('[f](/posts/first-post#top)');
    expect(imported.result.warnings).toEqual(
      expect.arrayContaining([
        '_posts/2014-09-15-first-post.markdown: {% include sidebar.html %} was left out.',
        '_posts/2014-09-15-first-post.markdown: The tag “unknown” is kept as text.',
      ]),
    );
  });
});

test('Jekyll: a scheme in a front matter, and pages that end as posts do', async () => {
  const { posts, result } = await importedFolder({
    '_config.yml': 'url: https://old.example\nbaseurl: /blog\npermalink: pretty\n',
    '_posts/2024-01-03-other.md': '---\ntitle: Other\npermalink: /o/:year/:title/\n---\nx',
    '_posts/2024-01-04-made.md': '---\ntitle: Made\npermalink: "/m/{{ page.title }}/"\n---\nx',
    'about.md': '---\nlayout: page\ntitle: About\n---\nx',
  });
  expect(posts.other!.redirects).toEqual(['/blog/o/2024/other']);
  expect(posts['/about']!.redirects).toEqual(['/blog/about']);
  expect(result.warnings).toEqual([
    '_posts/2024-01-04-made.md: The address “/m/{{ page.title }}/” is a template of the generator and was left out: give the scheme with --permalink.',
  ]);
});

test('Hugo: a title stands in old addresses where the front matter has no slug', async () => {
  const { posts } = await importedFolder({
    'hugo.toml':
      'baseURL = "https://old.example/"\n[permalinks]\nposts = "/:year/:slug/"\nnotes = "/n/:title/"\nfiles = "/f/:filename/"\n',
    'content/posts/one.md': '---\ntitle: "Hello, Wörld – 2.0!"\ndate: 2020-01-02\n---\n',
    'content/posts/two.md': '---\ntitle: Other\nslug: own\ndate: 2020-01-02\n---\n',
    'content/notes/three.md': '---\ntitle: A Note\nslug: own-3\ndate: 2020-01-02\n---\n',
    'content/files/four.md': '---\ntitle: A File\ndate: 2020-01-02\n---\n',
  });
  const paths = (slug: string) => [...posts[slug]!.redirects].sort();
  expect(paths('one')).toEqual(['/2020/hello-wörld-2.0', '/2020/one']);
  expect(paths('own')).toEqual(['/2020/own']);
  expect(paths('own-3')).toEqual(['/n/a-note', '/n/own-3']);
  expect(paths('four')).toEqual(['/f/four']);
});

const hugoBlog = {
  'hugo.toml': 'baseURL = "https://old.example/"\n[permalinks]\nposts = "/:year/:month/:slug/"\n',
  'themes/x/README.md': '# no post',
  'archetypes/default.md': '---\n---\n',
  'content/_index.md': '---\ntitle: Home\n---\n',
  'content/posts/bundle/index.md': `+++
title = "Bundle"
publishDate = 2020-02-03
lastmod = 2020-03-04
aliases = ["/very/old/"]
[cover]
image = "cat.png"
+++
{{< figure src="cat.png" caption="A cat" >}}

{{< youtube id="abcdefg" >}}

{{< highlight go "linenos=table" >}}
fmt.Println("{{< x >}}")
{{< /highlight >}}

[other]({{< relref "other.md#part" >}}) {{< chart >}}kept{{< /chart >}} {{</* shown */>}}

\`{{< code >}}\``,
  'content/posts/bundle/cat.png': await picture(1),
  'content/posts/other.md': '---\ntitle: Other\ndate: 2021-05-06\n---\n[b](../bundle/)',
  'content/notes/a.md': '---\ntitle: A\ndate: 2021-05-07\nurl: /a-note/\nexpiryDate: 2030-01-01\n---\nx',
};

describe('Hugo', () => {
  let imported: ImportedFolder;
  beforeAll(async () => {
    imported = await importedFolder(hugoBlog);
  });

  test('a bundle gives the fields of a post, its cover and its aliases', () => {
    expect(imported.result).toMatchObject({
      ...{ dialect: 'hugo', imported: { posts: 3, media: 1 }, skipped: [] },
    });
    expect(imported.posts.bundle).toMatchObject({
      day: '2020-02-03',
      updated: '2020-03-04',
      cover: 'cat.png',
      redirects: ['/2020/02/bundle', '/very/old'],
    });
    expect(imported.posts['a-note']!.redirects).toEqual(['/a-note']);
  });

  test('shortcodes become Markdown', () => {
    const body = imported.posts.bundle!.body.replace(/\/uploads\/[\w/.]+/, 'x.png');
    expect(body).toContain('![A cat](x.png "A cat")');
    expect(body).toContain('<https://www.youtube.com/watch?v=abcdefg>');
    expect(body).toContain('```go\nfmt.Println("{{< x >}}")\n```');
    expect(body).toContain('[other](/posts/other#part) {{< chart >}}kept{{< /chart >}} {{< shown >}}');
    expect(body).toContain('`{{< code >}}`');
  });

  test('its content folder alone is recognised too', async () => {
    expect((await importedFolder(hugoBlog, { below: 'content' })).result).toMatchObject({
      dialect: 'hugo',
      imported: { posts: 3, redirects: imported.result.imported.redirects },
    });
  });
});

test('Zola: taxonomies, links with @/, section pages and addresses without the date', async () => {
  const { result, posts } = await importedFolder({
    'config.toml': 'base_url = "https://old.example"\n',
    'content/blog/_index.md': '+++\ntitle = "Blog"\n+++\n',
    'content/blog/2020-01-02-one.md':
      '+++\ntitle = "One"\n[taxonomies]\ntags = ["a"]\ncategories = ["C"]\n+++\n[two](@/blog/two/index.md#x) {{ youtube(id="abcdefg") }} {{ other(a="b") }}',
    'content/blog/two/index.md':
      '+++\ntitle = "Two"\ndate = 2020-03-04\n+++\nhttps://old.example/blog/one/ [o](https://old.example/blog/one/)',
  });
  expect(result).toMatchObject({ dialect: 'zola', imported: { posts: 2 } });
  expect(posts.one).toMatchObject({
    day: '2020-01-02',
    tags: ['a'],
    category: 'C',
    redirects: ['/blog/one'],
  });
  expect(posts.one!.body).toContain('[two](/posts/two#x)');
  expect(posts.one!.body).toContain('<https://www.youtube.com/watch?v=abcdefg>');
  expect(posts.one!.body).toContain('{{ other(a="b") }}');
  expect(posts.two!.body).toContain('[o](/posts/one)');
});
