import { expect, test } from 'vitest';
import { htmlToMarkdown, textOfHtml } from '#app/import/html/to-markdown.ts';

const convert = (html: string) => htmlToMarkdown(html).markdown;

test.each([
  ['headings', '<h2>One</h2><p>a <b>b</b> <i>c</i> <del>d</del></p>', '## One\n\na **b** *c* ~~d~~'],
  ['lists', '<ul><li>a<ol><li>b</li></ol></li></ul>', '- a\n  1. b'],
  ['a quotation', '<blockquote><p>a</p></blockquote>', '> a'],
  ['a line break', '<p>a<br>b</p>', 'a\\\nb'],
  ['bold around paragraphs', '<b><p>a</p>\n<p>b</p></b>', '**a**\n\n**b**'],
  [
    'a style around blocks',
    '<span style="x"><h2>A</h2><div>b<pre>c</pre></div></span>',
    '## A\n\nb\n\n```\nc\n```',
  ],
  ['a link around blocks', '<a href="/x"><h2>A</h2><p>b</p></a>', '## [A](/x)\n\n[b](/x)'],
  ['bold around a list', '<strong><ul><li>a<li>b</ul></strong>', '- **a**\n- **b**'],
  [
    'bold that nothing ends',
    '<p><b>a<ul><li>b</ul><table><tr><td>c</table>d',
    '**a**\n\n- **b**\n\n|   |\n| - |\n| c |\n\n**d**',
  ],
  ['a rule', '<p>a</p><hr>', 'a\n\n---'],
  [
    'a table',
    '<figure class="wp-block-table"><table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1|2</td></tr></tbody></table><figcaption>Cap</figcaption></figure>',
    '| A    |\n| ---- |\n| 1\\|2 |\n\n*Cap*',
  ],
  ['code', '<pre><code class="language-php">$a = "&lt;";\n</code></pre>', '```php\n$a = "<";\n```'],
  ['code of a highlighter', '<pre class="brush: css; gutter: false">a<br>b</pre>', '```css\na\nb\n```'],
  [
    'code with fences in it',
    '<pre class="wp-block-code"><code>```\nx\n```</code></pre>',
    '````\n```\nx\n```\n````',
  ],
  [
    'a picture with a caption',
    '<figure><img src="/a b.png" alt="Al"><figcaption>Cap <em>x</em></figcaption></figure>',
    '![Al](</a b.png>)\n\n*Cap _x_*',
  ],
  [
    'a gallery',
    '<figure class="wp-block-gallery"><figure><img src="1.png"></figure><figure><a href="2.html"><img src="2.png"></a><figcaption>Two</figcaption></figure></figure>',
    '![](1.png)\n\n[![](2.png)](2.html)\n\n*Two*',
  ],
  [
    'an embed',
    '<figure class="wp-block-embed is-provider-youtube"><div class="wp-block-embed__wrapper">\nhttps://www.youtube.com/watch?v=abc\n</div></figure>',
    '<https://www.youtube.com/watch?v=abc>',
  ],
  [
    'a frame',
    '<iframe src="//www.youtube.com/embed/abcdefg" title="Film"></iframe>',
    '<https://www.youtube.com/watch?v=abcdefg>',
  ],
  [
    'a file of WordPress, with its preview and its button',
    '<div class="wp-block-file"><object data="/d.pdf"></object><a href="/d.pdf">doc</a><a href="/d.pdf" class="wp-block-file__button" download>Download</a></div>',
    '[doc](/d.pdf)',
  ],
  ['a frame of the site', '<iframe src="/demo/" title="Demo"></iframe>', '[Demo](/demo/)'],
  [
    'a frame that loads late',
    '<iframe src="about:blank" data-src="https://www.youtube.com/embed/abcdefg"></iframe>',
    '<https://www.youtube.com/watch?v=abcdefg>',
  ],
  [
    'a film of the time of Flash',
    '<object width="425"><param name="movie" value="http://www.youtube.com/v/abcdefg&amp;hl=en"><embed src="http://www.youtube.com/v/abcdefg&amp;hl=en"></object>',
    '<https://www.youtube.com/watch?v=abcdefg>',
  ],
  ['a picture with a set of sources', '<img srcset="/a.png 1x, /b.png 2x" alt="A">', '![A](/a.png)'],
  ['a film', '<video controls><source src="/a.mp4"></video>', '![](/a.mp4)'],
  [
    'a bookmark',
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://x.example/"><div class="kg-bookmark-title">T</div><img src="i.png"></a></figure>',
    '[T](https://x.example/)',
  ],
  [
    'details',
    '<details><summary>S &amp; T</summary><p>x</p></details>',
    '<details><summary>S &amp; T</summary>\n\nx\n\n</details>',
  ],
  ['text-level elements', '<p>x<sup>2</sup> <kbd>Ctrl</kbd></p>', 'x<sup>2</sup> <kbd>Ctrl</kbd>'],
  ['spaces in emphasis', '<p>a<strong> b </strong>c<em> </em>d</p>', 'a **b** c d'],
  ['what looks like Markdown', '<p># a * b [c](d) `e` &lt;b&gt;</p>', '\\# a \\* b \\[c]\\(d) \\`e\\` \\<b>'],
  [
    'anchors',
    '<p><a href="#n">1</a></p><p id="n">note</p><p id="m">no</p>',
    '[1](#n)\n\n<a id="n"></a>note\n\nno',
  ],
  ['links without text or target', '<p>a<a href="x"></a><a name="y"></a><a>b</a></p>', 'ab'],
  [
    'lazy pictures',
    '<img src="data:image/gif;base64,R0" data-src="a.png"><noscript><img src="a.png"></noscript>',
    '![](a.png)',
  ],
  [
    'pictures for readers without scripts, but no trackers',
    '<p>a <img src="/wait.gif" class="lazy"> <noscript><img src="b.png" alt="B"></noscript></p><noscript><img src="c.png"></noscript><noscript><img width="1" height="1" src="t.gif"><img style="display: none" src="u.gif">Text</noscript>',
    'a ![B](b.png)\n\n![](c.png)',
  ],
  ['entities', '<p>a&nbsp;b &copy; &#8217; &bogus;</p>', 'a\u00a0b © ’ \\&bogus;'],
  ['nothing', ' <!-- x --> ', ''],
])('%s', (_name, html, markdown) => {
  expect(convert(html)).toBe(markdown);
});

test('says which pictures it left out', () => {
  expect(htmlToMarkdown('<p>a<img src="data:image/png;base64,AA"></p>')).toEqual({
    markdown: 'a',
    warnings: ['An image embedded in the text (data:) was left out.'],
  });
});

test('refuses HTML that is nested too deep, and reads broken HTML', () => {
  expect(() => convert('<div>'.repeat(50_000))).toThrow('nested too deeply');
  expect(convert('<p>a <b>b<p>c</b></i></div>')).toBe('a **b**\n\n**c**');
});

test('takes elements around blocks in one walk, however many are open', () => {
  const fonts = Array.from({ length: 300 }, (_, size) => `<font size=${size}><i><b>`).join('');
  expect(convert(fonts + '<p>a</p>'.repeat(500))).toMatch(/^(\*\*\*a\*\*\*\n\n)+\*\*\*a\*\*\*$/);
});

test('the text of a title', () => {
  expect(textOfHtml('A &amp; <em>B</em>\n C &#8211; D < E')).toBe('A & B C – D < E');
  expect(textOfHtml('<script>alert(1)</script>')).toBe('');
});

test.each([
  ['Plain words, “quoted” (and more) - 1. 2) + 3', 'Plain words, “quoted” (and more) - 1. 2) + 3'],
  ['1. One', '1\\. One'],
  ['- One', '\\- One'],
  ['a <b>b</b> - c. <i>d</i> + e', 'a **b** - c. *d* + e'],
  ['See www.x.example, now.then and http://x', 'See www\\.x.example, now\\.then and http\\://x'],
  ['a_b c*d e|f [g] a@b.c', 'a_b c\\*d e|f \\[g] a\\@b.c'],
  ['A<br> + b', 'A\\\n\\+ b'],
  ['Title = <em>x</em>', 'Title = *x*'],
])('text %s has its signs escaped where they mean something', (html, markdown) => {
  expect(convert(`<p>${html}</p>`)).toBe(markdown);
});
