import { expect, test } from 'vitest';
import { Attachments } from '#app/import/wordpress/attachments.ts';
import { wordpressToMarkdown } from '#app/import/wordpress/html.ts';

const attachments = new Attachments();
const picture = { alt: '', caption: '', parent: '', order: 0, page: '' };
attachments.add({ ...picture, id: '1', url: 'https://x.example/1.png', alt: 'One "1"' });
attachments.add({ ...picture, id: '2', url: 'https://x.example/2.png' });
attachments.add({
  ...picture,
  id: '3',
  url: 'https://x.example/3.png',
  parent: '7',
  order: 2,
  caption: 'Last',
});
attachments.add({ ...picture, id: '4', url: 'https://x.example/4.jpg', parent: '7', order: 1 });
attachments.add({ ...picture, id: '5', url: 'https://x.example/5.pdf', parent: '7' });
const footnotes = JSON.stringify([
  { id: 'b', content: 'Not <em>named</em>' },
  { id: 'a-1', content: 'See <a href="https://x.example/">there</a>.' },
]);
const sharedBlocks = new Map([['5', '<!-- wp:paragraph --><p>Shared</p><!-- /wp:paragraph -->']]);
const convert = (content: string) =>
  wordpressToMarkdown(content, { attachments, sharedBlocks, postId: '7', footnotes });

test.each([
  [
    'paragraphs of the classic editor',
    'One\nline\n\nTwo <em>words</em>\r\n\r\n\r\nThree',
    'One\\\nline\n\nTwo *words*\n\nThree',
  ],
  ['breaks that were typed', 'One<br />\nline', 'One\\\nline'],
  [
    'paragraphs around blocks',
    'One\n<h2>Two</h2>\nThree\n<ul>\n<li>a</li>\n</ul>\nFour',
    'One\n\n## Two\n\nThree\n\n- a\n\nFour',
  ],
  ['paragraphs inside of blocks', '<blockquote>One\n\nTwo</blockquote>', '> One\n>\n> Two'],
  [
    'bold over paragraphs',
    'One <b>two\n\nthree</b>\n\n<i><ul><li>a</li></ul></i>',
    'One **two**\n\n**three**\n\n- *a*',
  ],
  [
    'code of WP-Syntax',
    '<pre lang="php" line="1">\n<?php if ($a < 3) { ?>\n<b>x</b>\n</pre>',
    '```php\n<?php if ($a < 3) { ?>\n<b>x</b>\n```',
  ],
  ['escaped code of it', '<pre lang="java" escaped="true">List&lt;T&gt;</pre>', '```java\nList<T>\n```'],
  ['code in entities', '<pre lang="xml">&lt;a&gt;</pre>', '```xml\n<a>\n```'],
  ['a text that only looks so', '<pre lang="de">Rosen <b>rot</b></pre>', '```de\nRosen rot\n```'],
  [
    'a link around a figure',
    '<a href="https://x.example/shop"><figure><img src="a.png"><figcaption>A cap</figcaption></figure></a>\n\nText',
    '[![](a.png)](https://x.example/shop)\n\n*A cap*\n\nText',
  ],
  ['a text of a region', '<pre lang="en-US">Roses are <b>red</b></pre>', '```en-us\nRoses are red\n```'],
  ['code that is left alone', '<pre>a\n\nb [gallery ids="1"]</pre>', '```\na\n\nb [gallery ids="1"]\n```'],
  [
    'captions',
    '[caption id="a" align="alignleft" width="300"]<a href="https://x.example/b"><img src="https://x.example/1.png" alt="A" /></a> The <em>cat</em>[/caption]\n\nText',
    '[![A](https://x.example/1.png)](https://x.example/b)\n\n*The _cat_*\n\nText',
  ],
  ['old captions', '[caption caption="Cat & dog"]<img src="a.png">[/caption]', '![](a.png "Cat & dog")'],
  [
    'galleries',
    'a\n[gallery size="full" ids="1, 2,9"]',
    'a\n\n![One "1"](https://x.example/1.png) ![](https://x.example/2.png)',
  ],
  [
    'galleries of the pictures of the post',
    '[gallery]\n\n[gallery exclude="3" columns="2"]',
    '![](https://x.example/4.jpg) ![](https://x.example/3.png "Last")\n\n![](https://x.example/4.jpg)',
  ],
  [
    'captions with line breaks, paragraphs and figures',
    '[caption width="3"]<p><img src="a.png" /></p>One<br />two[/caption]\n[caption]<figure><a href="/u/b.jpg"><img src="/u/b-300x200.jpg"></a><figcaption>B</figcaption></figure>[/caption]',
    '![](a.png "One two")\n\n![](/u/b.jpg "B")',
  ],
  [
    'pictures that text flows around',
    '<img class="alignleft size-medium" src="a.png" alt="A" />Text <img class="wp-smiley" src="s.png">\n\n<p><a href="/a.png" rel="attachment wp-att-1"><img class="aligncenter" src="b.png"></a></p>',
    '![A](a.png)\n\nText ![](s.png)\n\n[![](b.png)](/a.png)',
  ],
  ['pages of a post', 'One<!--more-->two<!--nextpage-->three', 'One\n\ntwo\n\nthree'],
  [
    'widths and galleries of blocks',
    '<!-- wp:image {"align":"wide"} --><figure class="wp-block-image alignwide"><img src="a.png"><figcaption>A <br>b</figcaption></figure><!-- /wp:image --><!-- wp:gallery --><figure class="wp-block-gallery alignfull"><figure class="wp-block-image"><img src="b.png"></figure>\n<figure class="wp-block-image"><img src="c.png"><figcaption>C</figcaption></figure><figcaption>All</figcaption></figure><!-- /wp:gallery --><ul class="wp-block-gallery"><li class="blocks-gallery-item"><figure><img src="d.png"></figure></li><li><figure><img src="e.png"></figure></li></ul>',
    '![](a.png "A b") {.wide}\n\n![](b.png) ![](c.png "C") {.full}\n\n*All*\n\n![](d.png) ![](e.png)',
  ],
  [
    'columns of pictures, and buttons',
    '<!-- wp:columns --><div class="wp-block-columns"><div class="wp-block-column"><figure class="wp-block-image"><img src="a.png"></figure></div><div class="wp-block-column"><figure class="wp-block-image"><img src="b.png"></figure></div></div><!-- /wp:columns --><!-- wp:buttons --><div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/one">One</a></div> <div class="wp-block-button"><a href="/two">Two</a></div></div><!-- /wp:buttons -->',
    '![](a.png) ![](b.png)\n\n[One](/one) [Two](/two)',
  ],
  [
    'footnotes of the block and of shortcodes',
    '<!-- wp:paragraph --><p>A<sup data-fn="a-1" class="fn"><a href="#a-1" id="a-1-link">1</a></sup> b[efn_note]Short[/efn_note]<sup data-fn="a-1"></sup></p><!-- /wp:paragraph --><!-- wp:footnotes /-->',
    'A[^1] b[^2][^1]\n\n[^1]: See [there](https://x.example/).\n\n[^2]: Short',
  ],
  ['blocks that posts share', '<!-- wp:block {"ref":5} /-->', 'Shared'],
  [
    'code of SyntaxHighlighter, Crayon and CodeColorer',
    '[sourcecode language="js" light="true"]if (a &lt; b &amp;&amp; c) {}[/sourcecode]\n<pre class="lang:php decode:true ">$a;</pre>\n[cc_ruby]puts 1[/cc_ruby]\nUse [cci lang="c"]int *a[/cci] or <span class="lang:c crayon-inline">b*c</span>.\n[python]\n\nx = 1\n  y = 2\n[/python]',
    '```js\nif (a < b && c) {}\n```\n\n```php\n$a;\n```\n\n```ruby\nputs 1\n```\n\nUse `int *a` or `b*c`.\n\n```python\n\nx = 1\n  y = 2\n```',
  ],
  [
    'code in shortcodes that nobody knows, and in editors’ tags',
    '[my_code lang="go"]\nfunc main() {\n  x := 1 &lt;&lt; 2;\n}\n[/my_code]\n[code]<pre>a &lt; b</pre>[/code]\n[code]a &gt; b<br />\nc[/code]',
    '```go\nfunc main() {\n  x := 1 << 2;\n}\n```\n\n```text\na < b\n```\n\n```text\na > b\nc\n```',
  ],
  [
    'embeds',
    '[embed width="1"]https://x.example/film[/embed]\n\nhttps://y.example/a_b\n\n<p>https://z.example/</p>',
    '<https://x.example/film>\n\n<https://y.example/a_b>\n\n<https://z.example/>',
  ],
  [
    'embeds of WordPress.com',
    '[youtube=http://www.youtube.com/watch?v=JaNH56Vpg-A&amp;w=640&amp;h=385] [youtube https://youtu.be/dQw4w9WgXcQ]\n[vimeo 44633289 w=500]\n[vimeo http://vimeo.com/44633289&amp;h=2]\n[gist 0123abcd]\n[tweet https://x.com/a/status/1]\n[dailymotion id=x8oma9]\n[soundcloud url="https://s.example/t?a=1&amp;b=2" w="1"]\n[videopress kUJmAcSf hd=true]',
    [
      ...['https://www.youtube.com/watch?v=JaNH56Vpg-A', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
      ...['https://vimeo.com/44633289', 'http://vimeo.com/44633289', 'https://gist.github.com/0123abcd'],
      ...['https://x.com/a/status/1', 'https://www.dailymotion.com/video/x8oma9'],
      ...['https://s.example/t?a=1&b=2', 'https://videopress.com/v/kUJmAcSf'],
    ]
      .map((address) => `<${address}>`)
      .join('\n\n'),
  ],
  [
    'formulas of WordPress.com',
    '<p>If $latex x_1 &lt; y^*&amp;s=2&amp;bg=ffffff$ then $latex \\alpha$ costs $latex</p><pre>$latex x$</pre>',
    'If $`x_1 < y^*`$ then $`\\alpha`$ costs $latex\n\n```\n$latex x$\n```',
  ],
  [
    'players',
    '[audio https://x.example/c.mp3|titles=C]\n\n[audio mp3="https://x.example/a.mp3"][/audio]\n[video src="/b.mp4"]',
    '![](https://x.example/c.mp3)\n\n![](https://x.example/a.mp3)\n\n![](/b.mp4)',
  ],
  [
    'code',
    '[code language="php"]\n<?php echo "[x]"; ?>\n[/code]\n[css]a > b {}[/css]',
    '```php\n<?php echo "[x]"; ?>\n```\n\n```css\na > b {}\n```',
  ],
  [
    'blocks',
    '<!-- wp:heading {"level":2} -->\n<h2 class="wp-block-heading">H</h2>\n<!-- /wp:heading -->\n\n<!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->\n\n<!-- wp:code -->\n<pre class="wp-block-code"><code>x &lt; y</code></pre>\n<!-- /wp:code -->\n\n<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n<!-- wp:embed {"url":"https://v.example/1"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://v.example/1\n</div></figure>\n<!-- /wp:embed -->\n\n<!-- wp:quote -->\n<blockquote class="wp-block-quote"><!-- wp:paragraph -->\n<p>q</p>\n<!-- /wp:paragraph --><cite>c</cite></blockquote>\n<!-- /wp:quote -->',
    '## H\n\n- a\n\n```\nx < y\n```\n\n<https://v.example/1>\n\n> q\n>\n> c',
  ],
  [
    'columns',
    '<!-- wp:columns --><div class="wp-block-columns"><div class="wp-block-column"><p>a</p></div><div class="wp-block-column"><p>b</p></div></div><!-- /wp:columns -->',
    'a\n\nb',
  ],
])('%s', (_name, content, markdown) => {
  expect(convert(content)).toEqual({ markdown, warnings: [] });
});

test('shortcodes around words stay, however many are open', () => {
  expect(convert('[box]\nOne line\nof words.\n[/box]').markdown).toBe(
    '\\[box]\\\nOne line\\\nof words.\\\n[/box]',
  );
  const names = Array.from({ length: 20_000 }, (_, index) => `[a${index}][/b${index}][caption][code][cc]`);
  expect(convert(names.join('')).markdown.length).toBeGreaterThan(200_000);
});

test('shortcodes of plug-ins are kept as text and listed, words in brackets are not', () => {
  expect(
    convert(
      '[my_form id="1"] and [b]bold[/b] and [sic] and [1] [link](x)\n\n[toc]\n\n<code>[x y="z"]</code>',
    ),
  ).toEqual({
    markdown: '[my_form id="1"] and [b]bold[/b] and \\[sic] and \\[1] \\[link]\\(x)\n\n[toc]\n\n`[x y="z"]`',
    warnings: ['my_form', 'b', 'toc'].map((name) => `The shortcode [${name}] is kept as text.`),
  });
});

test('blocks that WordPress fills in are listed', () => {
  expect(
    convert(
      '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:latest-posts {"a":"b-c"} /--><!-- wp:block {"ref":6} /--><!-- wp:separator /-->',
    ).warnings,
  ).toEqual(
    ['latest-posts', 'block'].map(
      (name) => `The block “${name}” is filled in by WordPress and was left out.`,
    ),
  );
});
