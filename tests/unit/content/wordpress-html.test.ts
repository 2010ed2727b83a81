import { expect, test } from 'vitest';
import { wordpressToMarkdown } from '#app/content/wordpress/wordpress-html.ts';

const attachments = new Map([
  ['1', { url: 'https://x.example/1.png', alt: 'One "1"' }],
  ['2', { url: 'https://x.example/2.png', alt: '' }],
]);
const convert = (content: string) => wordpressToMarkdown(content, attachments);

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
  ['code that is left alone', '<pre>a\n\nb [gallery ids="1"]</pre>', '```\na\n\nb [gallery ids="1"]\n```'],
  [
    'captions',
    '[caption id="a" align="alignleft" width="300"]<a href="https://x.example/b"><img src="https://x.example/1.png" alt="A" /></a> The <em>cat</em>[/caption]\n\nText',
    '[![A](https://x.example/1.png)](https://x.example/b)\n\n*The _cat_*\n\nText',
  ],
  ['old captions', '[caption caption="Cat & dog"]<img src="a.png">[/caption]', '![](a.png)\n\n*Cat & dog*'],
  [
    'galleries',
    'a\n[gallery size="full" ids="1, 2,9"]',
    'a\n\n![One "1"](https://x.example/1.png)\n\n![](https://x.example/2.png)',
  ],
  [
    'embeds',
    '[embed width="1"]https://x.example/film[/embed]\n\nhttps://y.example/a_b\n\n<p>https://z.example/</p>',
    '<https://x.example/film>\n\n<https://y.example/a_b>\n\n<https://z.example/>',
  ],
  [
    'players',
    '[audio mp3="https://x.example/a.mp3"][/audio]\n[video src="/b.mp4"]',
    '![](https://x.example/a.mp3)\n\n![](/b.mp4)',
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
      '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:latest-posts {"a":"b-c"} /--><!-- wp:block {"ref":5} /--><!-- wp:separator /-->',
    ).warnings,
  ).toEqual(
    ['latest-posts', 'block'].map(
      (name) => `The block “${name}” is filled in by WordPress and was left out.`,
    ),
  );
});
