import { describe, expect, test } from 'vitest';
import { renderMarkdown, type RenderOptions } from '#app/posts/markdown/render.server.ts';

const htmlOf = async (markdown: string, options?: RenderOptions) =>
  (await renderMarkdown(markdown, options)).html;
const lines = (...parts: string[]) => parts.join('\n');

describe('GFM', () => {
  test('tables scroll and align by class', async () => {
    expect(await htmlOf('| a | b |\n|:-:|--:|\n| `x|y` | **2** |\n| only |')).toBe(
      lines(
        '<div class="table-scroll" tabindex="0"><table>',
        '<thead>',
        '<tr>',
        '<th class="align-center">a</th>',
        '<th class="align-right">b</th>',
        '</tr>',
        '</thead>',
        '<tbody>',
        '<tr>',
        '<td class="align-center">`x</td>',
        '<td class="align-right">y`</td>',
        '</tr>',
        '<tr>',
        '<td class="align-center">only</td>',
        '<td class="align-right"></td>',
        '</tr>',
        '</tbody>',
        '</table></div>',
      ),
    );
    expect(await htmlOf('| f\\|oo |\n|-|\n| b `\\|` az |')).toContain('<td>b <code>|</code> az</td>');
    expect(await htmlOf('| a | b |\n|-|\n| c |'), 'a header that does not fit').not.toContain('<table>');
  });

  test('task lists', async () => {
    const html = await htmlOf('- [x] done\n- [ ] *to do*\n- [y] no\n- x [ ]\n\n[ ] no');
    expect(html).toContain(
      '<li class="task-list-item"><input type="checkbox" disabled checked aria-label="done"> done</li>',
    );
    expect(html).toContain('<input type="checkbox" disabled aria-label="to do"> <em>to do</em></li>');
    expect(html.match(/<input/g)).toHaveLength(2);
  });

  test.each([
    ['~~Hi~~ Hello, ~there~ world!', '<p><del>Hi</del> Hello, <del>there</del> world!</p>'],
    ['This ~~has a\n\nnew paragraph~~.', '<p>This ~~has a</p>\n<p>new paragraph~~.</p>'],
    ['This will ~~~not~~~ strike.', '<p>This will ~~~not~~~ strike.</p>'],
    ['~one~~ and ~~two', '<p>~one~~ and ~~two</p>'],
    ['**bold ~~and~~ ~struck~**', '<p><strong>bold <del>and</del> <del>struck</del></strong></p>'],
  ])('strikethrough: %s', async (markdown, html) => {
    expect(await htmlOf(markdown)).toBe(html);
  });

  const link = (href: string, text = href) =>
    `<a href="${href}"${/^(https?|\/\/)/.test(href) ? ' rel="external noopener"' : ''}>${text}</a>`;
  test.each([
    ['www.commonmark.org', link('http://www.commonmark.org', 'www.commonmark.org')],
    [
      'Visit www.commonmark.org/help for more.',
      `Visit ${link('http://www.commonmark.org/help', 'www.commonmark.org/help')} for more.`,
    ],
    ['Visit www.commonmark.org.', `Visit ${link('http://www.commonmark.org', 'www.commonmark.org')}.`],
    [
      'www.google.com/search?q=Markup+(business)',
      link('http://www.google.com/search?q=Markup+(business)', 'www.google.com/search?q=Markup+(business)'),
    ],
    [
      '(www.google.com/search?q=Markup+(business))',
      `(${link('http://www.google.com/search?q=Markup+(business)', 'www.google.com/search?q=Markup+(business)')})`,
    ],
    [
      'www.google.com/search?q=(business))+ok',
      link('http://www.google.com/search?q=(business))+ok', 'www.google.com/search?q=(business))+ok'),
    ],
    [
      'www.google.com/search?q=commonmark&hl;',
      `${link('http://www.google.com/search?q=commonmark', 'www.google.com/search?q=commonmark')}&#x26;hl;`,
    ],
    ['www.commonmark.org/he<lp', `${link('http://www.commonmark.org/he', 'www.commonmark.org/he')}&#x3C;lp`],
    ['Anonymous FTP is at ftp://foo.bar.baz.', `Anonymous FTP is at ${link('ftp://foo.bar.baz')}.`],
    ['https://a.example/__init__.py and *x*', `${link('https://a.example/__init__.py')} and <em>x</em>`],
    ['http://localhost:3000/x', link('http://localhost:3000/x')],
    ['foo@bar.baz', link('mailto:foo@bar.baz', 'foo@bar.baz')],
    [
      "hello@mail+xyz.example isn't, hello+xyz@mail.example is.",
      `hello@mail+xyz.example isn't, ${link('mailto:hello+xyz@mail.example', 'hello+xyz@mail.example')} is.`,
    ],
    ['a.b-c_d@a.b.', `${link('mailto:a.b-c_d@a.b', 'a.b-c_d@a.b')}.`],
    ['a.b-c_d@a.b-', 'a.b-c_d@a.b-'],
    ['a.b-c_d@a.b_', 'a.b-c_d@a.b_'],
    ['www.under_score.com and x.www.a.b', 'www.under_score.com and x.www.a.b'],
    ['`www.a.b` [www.a.b](/x)', '<code>www.a.b</code> <a href="/x">www.a.b</a>'],
    [
      '例子 https://例子.测试/路径。',
      `例子 ${link('https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84', 'https://例子.测试/路径')}。`,
    ],
    // No space comes after full-width punctuation, so all of the sentence would belong to the link.
    ['请看（https://a.b/c）。然后', `请看（${link('https://a.b/c')}）。然后`],
    ['例：www.a.b/c，以及「https://a.b/d」', `例：www.a.b/c，以及「${link('https://a.b/d')}」`],
  ])('bare links: %s', async (markdown, html) => {
    expect(await htmlOf(markdown)).toBe(`<p>${html}</p>`);
  });

  test('an element that hides markup and is not closed is shown, a closed one goes', async () => {
    expect(await htmlOf('<strong> <title> <style> <em>x\n\nmore')).toContain('&#x3C;title> &#x3C;style>');
    expect(await htmlOf('a <script>x\n\n<b>b</b>')).toContain('<b>b</b>');
    expect(await htmlOf('<style>\np {color: red}\n</style>\n\nok')).toBe('<p>ok</p>');
  });
});

describe('headings', () => {
  test('ids in any script, unique, never a global name', async () => {
    const { tableOfContents, html } = await renderMarkdown(
      '## The *alpha* release\n\n## The alpha release\n\n### 数据 库\n\n## Rationale\n\n## 你好\n\n## !!!\n\n## A[^1]\n\n[^1]: b',
    );
    expect(tableOfContents).toEqual([
      { depth: 2, id: 'the-alpha-release', text: 'The alpha release' },
      { depth: 2, id: 'the-alpha-release-2', text: 'The alpha release' },
      { depth: 3, id: '数据-库', text: '数据 库' },
      { depth: 2, id: 'section-rationale', text: 'Rationale' },
      { depth: 2, id: '你好', text: '你好' },
      { depth: 2, id: 'section-1', text: '!!!' },
      { depth: 2, id: 'section-a', text: 'A' },
    ]);
    expect(html).toContain(
      '<h2 id="section-rationale">Rationale<a class="heading-anchor" href="#section-rationale" aria-hidden="true" tabindex="-1"></a></h2>',
    );
  });

  test('the first level belongs to the page', async () => {
    const depths = async (markdown: string) =>
      (await renderMarkdown(markdown)).tableOfContents.map(({ depth }) => depth);
    expect(await depths('# a\n\n## b\n\n###### c')).toEqual([2, 3, 6]);
    expect(await depths('## b\n\n### c')).toEqual([2, 3]);
  });

  test('links in the text find headings, notes and ids of the text’s own', async () => {
    const html = await htmlOf(
      '[a](#rationale) [b](#note) [c](#数据) [d](#none)\n\n## Rationale\n\n## 数据\n\n<a name="note"></a>x',
    );
    expect(html).toContain('<a href="#section-rationale">a</a>');
    expect(html).toContain('<a href="#user-content-note">b</a>');
    expect(html).toContain('<a href="#数据">c</a>');
    expect(html).toContain('<a href="#none">d</a>');
    expect(html).toContain('<a id="user-content-note"></a>');
  });
});

test('links from other posts find headings and ids of the text’s own', async () => {
  const html = await htmlOf(
    [
      '## Own\n\n## What’s new & old?\n\n## Own\n\n## Étude\n\n## Plain words\n\n## note\n\n## Own 1',
      '<span id="note">a</span> <a href="/x" id="Link">b</a> <a id="my-mark"></a>\n\n<table id="t"><tr><td>c</td></tr></table>',
      '[1](#whats-new--old) [2](#own-1) [3](#note)\n\n<img id="i" src="/a.png" alt="">',
    ].join('\n\n'),
  );
  const ids = [
    'section-own',
    'whats-new--old',
    'own-1',
    'section-note',
    'section-Link',
    'my-mark',
    'section-t',
    'section-i',
  ];
  for (const id of ids) expect([id, html.split(` id="${id}"`).length - 1]).toEqual([id, 1]);
  expect(html).toContain(
    '<a href="#whats-new--old">1</a> <a href="#own-1">2</a> <a href="#user-content-note">3</a>',
  );
  expect(html).toContain('<td><span id="section-t"></span>c</td>');
  expect(html).toContain('<span id="section-Link"></span><a href="/x" id="user-content-Link">b</a>');
});

test.each([
  ['/posts/b#own', '/posts/b#section-own'],
  ['/about/team#Ada', '/about/team#section-Ada'],
  ['https://blog.example/posts/b#own', 'https://blog.example/posts/b#section-own'],
  ['/posts/b#two-words', '/posts/b#two-words'],
  ['/posts/b#section-own', '/posts/b#section-own'],
  ['/posts/b#comments', '/posts/b#comments'],
  ['/archive#y2024', '/archive#y2024'],
  ['/uploads/a.pdf#page', '/uploads/a.pdf#page'],
  ['https://else.example/x#own', 'https://else.example/x#own'],
])('the link %s to a part of a page leads to %s', async (written, expected) => {
  const { html } = await renderMarkdown(`[a](${written})`, { siteUrl: 'https://blog.example' });
  expect(html).toContain(`href="${expected}"`);
});

test('footnotes lead there and back, each use by its own way', async () => {
  const html = await htmlOf(
    'One[^a], two[^b], one again[^a].\n\n[^a]: First.\n[^b]: Second `x`.\n\n    More.',
  );
  expect(html).toBe(
    lines(
      '<p>One<sup><a href="#user-content-fn-1" id="user-content-fnref-1" role="doc-noteref">1</a></sup>, two<sup><a href="#user-content-fn-2" id="user-content-fnref-2" role="doc-noteref">2</a></sup>, one again<sup><a href="#user-content-fn-1" id="user-content-fnref-1-2" role="doc-noteref">1</a></sup>.</p>',
      '<section class="footnotes" role="doc-endnotes">',
      '<ol>',
      '<li id="user-content-fn-1"><p>First. <a href="#user-content-fnref-1" role="doc-backlink">↩︎</a> <a href="#user-content-fnref-1-2" role="doc-backlink">↩︎</a></p>',
      '</li>',
      '<li id="user-content-fn-2"><p>Second <code>x</code>.</p>',
      '<p>More. <a href="#user-content-fnref-2" role="doc-backlink">↩︎</a></p>',
      '</li>',
      '</ol>',
      '</section>',
    ),
  );
});

describe('links and media', () => {
  const siteUrl = 'https://blog.example.org';
  const image = (properties: string) => `<p>a</p>\n<p><img ${properties}></p>`;

  test('only links elsewhere are external', async () => {
    const html = await htmlOf(
      '[a](/x) [b](https://blog.example.org/y) [c](https://other.example) [d](//cdn.example) [e](mailto:x@y.z) <a rel="me opener" href="https://m.example">f</a>',
      { siteUrl },
    );
    expect(html).toBe(
      '<p><a href="/x">a</a> <a href="https://blog.example.org/y">b</a> <a href="https://other.example" rel="external noopener">c</a> <a href="//cdn.example" rel="external noopener">d</a> <a href="mailto:x@y.z">e</a> <a rel="me external noopener" href="https://m.example">f</a></p>',
    );
  });

  test('the first image of the text does not wait, the others do', async () => {
    const html = await htmlOf('![one](/uploads/1.png "t")\n\n![](/uploads/2.png)');
    expect(html).toBe(
      '<figure><img src="/uploads/1.png" alt="one" decoding="async"><figcaption>t</figcaption></figure>\n<p><img src="/uploads/2.png" alt="" decoding="async" loading="lazy"></p>',
    );
  });

  test('own uploads get their size and copies, others none', async () => {
    const facts = {
      width: 800,
      height: 600,
      srcSet: '/uploads/2026/a-400.webp 400w, /uploads/2026/a.png 800w',
    };
    const ownImages = new Map([['/uploads/2026/a.png', facts]]);
    const render = (markdown: string) => htmlOf(`a\n\n${markdown}`, { siteUrl, ownImages });
    const sized =
      'src="/uploads/2026/a.png" alt="x" decoding="async" width="800" height="600" srcset="/uploads/2026/a-400.webp 400w, /uploads/2026/a.png 800w" sizes="(min-width: 46rem) 720px, 100vw"';
    expect(await render('![x](/uploads/2026/a.png)')).toBe(image(sized));
    expect(await render('![x](https://blog.example.org/uploads/2026/a.png)')).toContain('width="800"');
    expect(await render('![x](/uploads/gone.png)')).toBe(
      image('src="/uploads/gone.png" alt="x" decoding="async"'),
    );
    expect(await render('![x](https://other.example/uploads/2026/a.png)')).not.toContain('width');
    expect(await render('<img src="/uploads/2026/a.png" width="80">')).not.toContain('height');
  });

  test('films and sounds get players with controls that never start by themselves', async () => {
    const { html, media } = await renderMarkdown(
      '![A film](/uploads/a.mp4?x=1)\n\n![](https://x.example/s.OGG)\n\n<video src="b.webm" autoplay poster="p.png"><track src="c.vtt" kind="captions"></video>',
    );
    expect(html).toBe(
      lines(
        '<p><video src="/uploads/a.mp4?x=1" aria-label="A film" controls preload="metadata"></video></p>',
        '<p><audio src="https://x.example/s.OGG" controls preload="none"></audio></p>',
        '<p><video src="b.webm" poster="p.png" controls preload="metadata"><track src="c.vtt" kind="captions"></video></p>',
      ),
    );
    expect(media).toEqual(['/uploads/a.mp4?x=1', 'https://x.example/s.OGG', 'b.webm']);
  });

  test('an embedded page becomes a link', async () => {
    expect(await htmlOf('<iframe src="https://video.example/1" title="Talk"></iframe>')).toBe(
      '<a href="https://video.example/1" rel="external noopener">Talk</a>',
    );
  });

  test('safe raw HTML stays, the rest loses its tags', async () => {
    const html =
      '<details open><summary>More</summary>\n\n<kbd>Ctrl</kbd> <abbr title="x">X</abbr> <ruby>漢<rt>kan</rt></ruby></details>';
    expect(await htmlOf(html)).toContain(
      '<kbd>Ctrl</kbd> <abbr title="x">X</abbr> <ruby>漢<rt>kan</rt></ruby>',
    );
    expect(await htmlOf('<center class="x" style="color:red">a</center>')).toBe('a');
  });
});

describe('code', () => {
  test('is coloured by classes alone, whatever follows the language', async () => {
    const html = await htmlOf('```rust,ignore\nfn main() {} // end\n```');
    expect(html).toBe(
      '<pre tabindex="0"><code class="language-rust,ignore"><span class="hl-keyword">fn</span> <span class="hl-function">main</span>() {} <span class="hl-comment">// end</span>\n</code></pre>',
    );
  });

  test.each(['ts', 'python', 'sh', 'html', 'json', 'diff', 'yaml', 'sql', 'c++', 'dockerfile'])(
    'knows %s',
    async (language) => {
      const html = await htmlOf(`\`\`\`${language}\n<a b="c"> # - + "x" if select 1\n+ x\n\`\`\``);
      expect(html).not.toContain('style=');
      expect(html).toContain(`class="language-${language}"`);
      expect(html).toContain('class="hl-');
    },
  );

  test('of an unknown language, without one, or too long to read stays plain', async () => {
    for (const language of ['klingon', '', 'constructor', '__proto__', '"><b>'])
      expect(await htmlOf(`\`\`\`${language}\nlet a\n\`\`\``)).toContain('>let a\n</code></pre>');
    const long = 'let a = 1;\n'.repeat(6_000);
    expect(await htmlOf(`\`\`\`js\n${long}\`\`\``)).not.toContain('hl-');
  });
});

test('plain text has the words, code included, and no markup', async () => {
  const { plainText, wordCount } = await renderMarkdown(
    '# Title\n\nSome *text*[^1] with `code` &amp; [link](/x).\n\n- one\n- two\n\n|a|b|\n|-|-|\n|c|d|\n\n```js\nlet x = 1;\n```\n\n<b>bold</b><script>no()</script>\n\n[^1]: Note.',
  );
  expect(plainText.replace(/\s+/g, ' ')).toBe(
    'Title Some text with code & link. one two a b c d let x = 1; bold Note.',
  );
  expect(plainText).toContain('Title\n\nSome');
  expect(wordCount).toBe(17);
  expect((await renderMarkdown('我们发布 two words, don’t')).wordCount).toBe(7);
  expect(await renderMarkdown('')).toEqual({
    html: '',
    tableOfContents: [],
    plainText: '',
    wordCount: 0,
    media: [],
  });
});
