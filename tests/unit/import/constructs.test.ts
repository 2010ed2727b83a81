import { expect, test } from 'vitest';
import { readCard } from '#app/import/ghost/cards.ts';
import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import type { Syntax } from '#app/import/markdown/dialects/dialects.ts';
import { transformBody } from '#app/import/markdown/syntax/transform-body.ts';
import { tagsIn } from '#app/import/markdown/syntax/marks.ts';
import { wordpressToMarkdown } from '#app/import/wordpress/html.ts';

function read(markdown: string, ...syntax: Syntax[]): string {
  const none = () => null;
  return transformBody(markdown, syntax, { postAt: none, postNamed: none, fileNamed: none, warn: none });
}

test.each<[string, Syntax, string, string]>([
  ['GitHub alert', 'alerts', '> [!note]\n> x', '> [!NOTE]\n> x'],
  ['Obsidian: folded, a kind of its own', 'alerts', '> [!bug]- Oh\n> x', '> [!CAUTION] Oh\n> x'],
  ['Obsidian: a kind whose name says more', 'alerts', '> [!success]\n> x', '> [!TIP] Success\n> x'],
  ['Docusaurus', 'admonitions', ':::danger Do not\nx\n:::', '> [!CAUTION] Do not\n> x'],
  [
    'Docusaurus: one in another, with code',
    'admonitions',
    '::::note\na\n\n:::tip[B]\n```js\nx\n\ny\n```\n:::\n::::',
    '> [!NOTE]\n> a\n>\n> > [!TIP] B\n> > ```js\n> > x\n> > \n> > y\n> > ```',
  ],
  ['Starlight', 'jsx', '<Aside type="caution" title="T">\n  x\n</Aside>', '> [!CAUTION] T\n> x'],
  ['MDX', 'jsx', '<Warning>\n**x**\n</Warning>', '> [!WARNING]\n> **x**'],
  ['Hugo: a kind as argument', 'hugo', '{{< notice tip >}}\nx\n{{< /notice >}}', '> [!TIP]\n> x'],
  [
    'Hugo: named arguments',
    'hugo',
    '{{% callout type="warning" title="T" %}}x{{% /callout %}}',
    '> [!WARNING] T\n> x',
  ],
  [
    'Hugo: details',
    'hugo',
    '{{< details "More" >}}\nx\n{{< /details >}}',
    '<details><summary>More</summary>\n\nx\n\n</details>',
  ],
  ['Zola', 'zola', '{% tip(title="T") %}\nx\n{% end %}', '> [!TIP] T\n> x'],
  ['NexT of Hexo', 'liquid', '{% note danger %}\nx\n{% endnote %}', '> [!CAUTION]\n> x'],
  ['Just the Docs', 'notices', '{: .warning }\nx\ny\n\nz', '> [!WARNING]\n> x\n> y\n\nz'],
  ['Minimal Mistakes', 'notices', 'x\n{: .notice--info}\n\nz', '> [!NOTE]\n> x\n\nz'],
  ['Jekyll: a class behind a paragraph', 'notices', 'x\ny\n{: .note }\n\nz', '> [!NOTE]\n> x\n> y\n\nz'],
  [
    'pictures for readers without scripts, but no trackers',
    'alerts',
    '<img src="data:x" class="lazy"> <noscript><img src="/a.png" alt="A"></noscript>\n\n`<noscript><img src="b"></noscript>`\n\n<noscript><img width="1" src="t.gif"></noscript>',
    '<img src="/a.png" alt="A">\n\n`<noscript><img src="b"></noscript>`\n\n<noscript><img width="1" src="t.gif"></noscript>',
  ],
  ['Chirpy', 'notices', '> x\n{: .prompt-tip }\n', '> [!TIP]\n> x'],
  ['Jekyll: a class that is no kind', 'notices', 'x\n{: .lead }', 'x\n{: .lead }'],
  ['Kramdown: the table of contents', 'attributes', '* Contents\n{:toc}\n\n1. TOC\n{:toc .x}\nz', 'z'],
  ['Jekyll: a formula in a line', 'notices', 'x $$a^2$$ y $$b$$', 'x $`a^2`$ y $`b`$'],
  ['Jekyll: a formula of its own', 'notices', 'x\n\n$$a^2$$\n\n$$\nb\n$$', 'x\n\n$$a^2$$\n\n$$\nb\n$$'],
  ['Gatsby: code', 'jsx', '```js:title=a.js{1,3}\nx\n```', '```js title="a.js" {1,3}\nx\n```'],
  ['Gatsby: lines', 'jsx', '```js{2-3}\nx\n```', '```js {2-3}\nx\n```'],
  [
    'Zola: code',
    'zola',
    '```rust,linenos,hl_lines=3-5 8,name=m.rs\nx\n```',
    '```rust title="m.rs" {3-5,8}\nx\n```',
  ],
  ['Hugo: code', 'hugo', '```go {hl_lines=[1,"3-5"],linenos=true}\nx\n```', '```go {1,3-5}\nx\n```'],
  [
    'Hugo: highlight',
    'hugo',
    '{{< highlight go "hl_lines=2 4-5" >}}\nx\n{{< /highlight >}}',
    '```go {2,4-5}\nx\n```',
  ],
  ['Docusaurus: code', 'jsx', '```js title="a.js" {1}\nx\n```', '```js title="a.js" {1}\nx\n```'],
  [
    'Hexo: code',
    'liquid',
    '{% codeblock a.js lang:js mark:1,3 %}\nx\n{% endcodeblock %}',
    '```js title="a.js" {1,3}\nx\n```',
  ],
  [
    'Jekyll: code',
    'liquid',
    '{% highlight js linenos mark_lines="1 4" %}\nx\n{% endhighlight %}',
    '```js {1,4}\nx\n```',
  ],
  [
    'Hugo: a file of a gist',
    'hugo',
    '{{< gist ada 0123abc "My file.go" >}}',
    '<https://gist.github.com/ada/0123abc#file-my-file-go>',
  ],
  ['Jekyll: a gist', 'liquid', '{% gist ada/0123abc %}', '<https://gist.github.com/ada/0123abc>'],
  [
    'Jekyll: a file of a gist',
    'liquid',
    '{% gist 5555251 result.md %}',
    '<https://gist.github.com/5555251#file-result-md>',
  ],
  [
    'Hugo: a film from a second on',
    'hugo',
    '{{< youtube id="dQw4w9WgXcQ" start=90 >}}',
    '<https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s>',
  ],
  [
    'Jekyll: a film from a minute on',
    'liquid',
    '{% youtube dQw4w9WgXcQ?t=1m30s %}',
    '<https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1m30s>',
  ],
  [
    'Hexo: a film by its address',
    'liquid',
    '{% youtube https://youtu.be/dQw4w9WgXcQ?t=9 %}',
    '<https://youtu.be/dQw4w9WgXcQ?t=9>',
  ],
  [
    'Chirpy',
    'liquid',
    "{% include embed/youtube.html id='dQw4w9WgXcQ' %}",
    '<https://www.youtube.com/watch?v=dQw4w9WgXcQ>',
  ],
  [
    'Minimal Mistakes: a film',
    'liquid',
    '{% include video id="97649261" provider="vimeo" %}',
    '<https://vimeo.com/97649261>',
  ],
  [
    'Docusaurus: tabs',
    'jsx',
    '<Tabs groupId="os">\n  <TabItem value="mac" label="macOS" default>\n    a\n  </TabItem>\n  <TabItem value="win">\n\n```sh\nb\n```\n\n  </TabItem>\n</Tabs>',
    '**macOS**\n\na\n\n**win**\n\n```sh\nb\n```',
  ],
  [
    'MDX: pictures by an expression',
    'jsx',
    "import photo from './p.png';\n\n<Image src={photo} alt=\"P\" /> <img src={require('./a.png').default} className=\"b\" style={{ width: 9 }} /> <img src={useBaseUrl('/c.png')} width={3}/>",
    '![P](./p.png) <img src="./a.png" class="b" /> <img src="/c.png" width="3"/>',
  ],
  [
    'MDX: a text as an expression',
    'expressions',
    "a{' '}b {`c`} $\\frac{a}{b}$ {d}",
    'a b c $\\frac{a}{b}$ {d}',
  ],
  [
    'Obsidian: names of blocks',
    'wiki',
    'a ^one\n\n[[#^one]] 2^10',
    'a <a id="one"></a>\n\n[^one](#one) 2^10',
  ],
])('%s', (_name, syntax, markdown, expected) => {
  expect(read(markdown, syntax).trim()).toBe(expected);
});

test.each([
  [
    'GitHub',
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>x</p></div>',
    '> [!TIP]\n>\n> x',
  ],
  ['Bootstrap', '<div class="alert alert-danger"><strong>x</strong> y</div>', '> [!CAUTION]\n>\n> **x** y'],
  [
    'Ghost: call-out',
    '<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">x <b>y</b></div></div>',
    '> [!TIP]\n>\n> x **y**',
  ],
  [
    'KaTeX',
    '<p>a <span class="katex"><math><semantics><annotation encoding="application/x-tex">x^2_i</annotation></semantics></math></span></p>',
    'a $`x^2_i`$',
  ],
  ['MathJax', '<script type="math/tex; mode=display">a_1*b</script>', '$$ a_1*b $$'],
  [
    'Substack: formula',
    `<div class="latex-rendered" data-attrs='{"persistentExpression":"\\\\frac{a}{b}"}'></div>`,
    '$$ \\frac{a}{b} $$',
  ],
  [
    'a gist',
    '<script src="https://gist.github.com/ada/0123abc.js"></script>',
    '<https://gist.github.com/ada/0123abc>',
  ],
  [
    'a file of a gist, a film from a second on',
    '<script src="https://gist.github.com/ada/0123abc.js?file=a.rb"></script><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0&amp;start=90"></iframe>',
    '<https://gist.github.com/ada/0123abc#file-a-rb>\n\n<https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s>',
  ],
  [
    'CodePen',
    '<iframe title="T" src="https://codepen.io/ada/embed/abcdef?x=1"></iframe>',
    '<https://codepen.io/ada/pen/abcdef>',
  ],
  [
    'code with a name and marked lines',
    '<pre data-title="a.php" data-lines="1,3"><code class="language-php">x</code></pre>',
    '```php title="a.php" {1,3}\nx\n```',
  ],
  [
    'Ghost: audio',
    '<div class="kg-card kg-audio-card"><img src="t.png"><div class="kg-audio-player-container"><audio src="/a.mp3"></audio><div class="kg-audio-title">Talk</div><span>0:00</span></div></div>',
    '![Talk](/a.mp3)',
  ],
  [
    'Ghost: film',
    '<figure class="kg-card kg-video-card"><div><video src="/a.mp4"></video><div class="kg-video-overlay">0:00/0:12</div></div><figcaption>Cap</figcaption></figure>',
    '![](/a.mp4)\n\n*Cap*',
  ],
  [
    'Ghost: product',
    '<div class="kg-card kg-product-card"><img class="kg-product-card-image" src="/p.png"><h4 class="kg-product-card-title"><span>Tea</span></h4><div class="kg-product-card-description"><p>Good</p></div><a class="kg-product-card-button" href="https://x.example/"><span>Buy</span></a></div>',
    '![](/p.png)\n\n### Tea\n\nGood\n\n[Buy](https://x.example/)',
  ],
])('HTML: %s', (_name, html, expected) => {
  expect(htmlToMarkdown(html).markdown).toBe(expected);
});

test('what MDX computes is named, and code is not', () => {
  const warnings: string[] = [];
  const none = () => null;
  const context = {
    postAt: none,
    postNamed: none,
    fileNamed: none,
    warn: (one: string) => void warnings.push(one),
  };
  const text = '## Head {#id}\n\n{props.name} and {list.map((x) => { return x; })}\n\n`{code}` {props.name}';
  expect(transformBody(text, ['jsx', 'expressions'], context)).toBe(text);
  expect(warnings).toEqual([
    'The expression “{props.name}” is kept as text.',
    'The expression “{list.map((x) => { return x; })}” is kept as text.',
  ]);
});

test('tags in a note are neither headings, numbers, addresses nor code', () => {
  const note = '#sea and (#sea/boats) #2024\n# Head\n[a](#part) x#y `#code` #été,';
  expect(tagsIn(note)).toEqual(['sea', 'sea/boats', 'été']);
});

test('what is lost with HTML is said', () => {
  const html =
    '<p>a</p><form><input></form><script src="https://x.example/poll.js"></script><div class="kg-signup-card">x</div>';
  expect(htmlToMarkdown(html)).toEqual({
    markdown: 'a',
    warnings: [
      'A form was left out.',
      'The script https://x.example/poll.js was left out.',
      'The signup card was left out.',
    ],
  });
});

test('WordPress: code with a title and marked lines, and formulas', () => {
  expect(wordpressToMarkdown('[php title="a.php" highlight="1,3-4"]\n$a = 1;\n[/php]').markdown).toBe(
    '```php title="a.php" {1,3-4}\n$a = 1;\n```',
  );
});

test.each([
  [
    'header',
    { header: 'H', subheader: 'S', buttonText: 'Go', buttonUrl: 'https://x.example/' },
    '### H\n\nS\n\n[Go](https://x.example/)',
  ],
  [
    'call-to-action',
    { textValue: '<p>T</p>', buttonText: 'Go', buttonUrl: 'https://x.example/', imageUrl: '/i.png' },
    '![](/i.png)\n\nT\n\n[Go](https://x.example/)',
  ],
  [
    'product',
    { productTitle: 'P', productDescription: '<p>D</p>', productRatingEnabled: true, productStarRating: 4 },
    '### P\n\n★★★★☆\n\nD',
  ],
  ['image', { src: '/a.png', cardWidth: 'wide' }, '![](/a.png) {.wide}'],
])('Ghost: card %s', (kind, payload, expected) => {
  const segment = readCard(kind, payload)!;
  expect('html' in segment && htmlToMarkdown(segment.html).markdown).toBe(expected);
});
