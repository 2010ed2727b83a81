// Texts with every construct of docs/markdown.md, for mails that are looked at in a browser.
export const mailTexts = (
  [
    [
      'Headings and links',
      '# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six\n\nA [link](/about), [anchor](#two), <https://example.org/a/very/long/address/that/has/no/place/to/break/in/a/narrow/window?query=1234567890>, mail <me@example.org>.',
    ],
    [
      'Emphasis',
      'A *b* **c** ***d*** ~~e~~ `code` H~2~O <kbd>Ctrl</kbd>+<kbd>S</kbd> <mark>marked</mark> x<sup>2</sup> y<sub>1</sub> <abbr title="Hyper">H</abbr> <q>quote</q> <ins>in</ins> <small>small</small> <time datetime="2026-01-01">New year</time> <ruby>漢<rt>kan</rt></ruby>.  \nNew line',
    ],
    [
      'Lists',
      '- one\n- two\n  - three\n    - four\n\n1. first\n2. second\n   1. nested\n\n5. five\n6. six\n\n- [x] done\n- [ ] not done',
    ],
    [
      'Definition and details',
      '<dl><dt>Term</dt><dd>What it is</dd></dl>\n\n<details><summary>More</summary>\n\nHidden text.\n\n</details>',
    ],
    ['Quotations', '> A quote\n>\n> > nested\n>\n> - list in it\n\nAfter.'],
    [
      'Call-outs',
      ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION']
        .map((k) => `> [!${k}] Title of ${k}\n> Words **bold** and [link](https://example.org).`)
        .join('\n\n'),
    ],
    [
      'Tables',
      '| A | B | C | D | E | F |\n|:--|:-:|--:|---|---|---|\n| left | centre | right | `code` | **bold** | a long cell with many words in it |\n| 1 | 2 | 3 | 4 | 5 | averyveryverylongwordwithoutanyspace |',
    ],
    [
      'Code',
      '```rust title="main.rs" {1,3}\nfn main() {\n    println!("a very long line that goes beyond every window of a phone and more, more, more");\n}\n```\n\n    indented\n\n```\nplain\n```\n\n`averyveryverylonginlinecodewordwithoutanyspaceatallinit1234567890averyveryvery`',
    ],
    [
      'Pictures',
      '![A tree](https://example.org/tree.png)\n\n![With caption](https://example.org/b.jpg "At *dawn*")\n\n![wide](https://example.org/c.jpg "c"){.wide}\n\n![](https://example.org/d.jpg){.decorative}',
    ],
    [
      'Gallery',
      '![one](https://example.org/1.jpg "One") ![two](https://example.org/2.jpg "Two") ![three](https://example.org/3.jpg)',
    ],
    [
      'Films and sounds',
      '![A film](https://example.org/film.mp4)\n\n![A sound](https://example.org/sound.mp3){duration=1:02:30}\n\n<video src="https://example.org/x.webm"></video>\n\n<audio src="https://example.org/x.ogg"></audio>',
    ],
    [
      'Embeds',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ\n\nhttps://vimeo.com/76979871\n\nhttps://mastodon.social/@Gargron/1\n\n<iframe src="https://example.org/map"></iframe>',
    ],
    [
      'Maths',
      'Inline $x^2 + \\frac{a}{b}$ and\n\n$$\\sum_{i=1}^{n} \\sqrt{x_i} = \\int_0^1 f(x)\\,dx$$\n\n```math\n\\begin{pmatrix}a & b\\\\c & d\\end{pmatrix}\n```',
    ],
    [
      'Footnotes',
      'A note[^1] and another[^long].\n\n[^1]: The first.\n[^long]: A long one\n\n    with two paragraphs and [a link](https://example.org).',
    ],
    [
      'Right to left',
      'English first.\n\nهذه فقرة بالعربية مع [رابط](https://example.org) وكلمات.\n\n- عنصر\n- item\n\n> اقتباس',
    ],
    [
      'Chinese and Japanese',
      '**注意。**请看 这是**「强调」**的字。\n\nこれは日本語の段落です。https://example.org/道。',
    ],
    [
      'Rule and HTML',
      'Above\n\n---\n\n<div align="center"><p>Centre</p></div>\n\n<section><p>Section</p></section>\n\n<figure><blockquote><p>Said</p></blockquote><figcaption>Somebody</figcaption></figure>',
    ],
    [
      'Hostile',
      '<script>alert(1)</script><style>p{color:red}</style><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><svg onload=alert(1)></svg><form action=/x><input name=a></form>\n\n</td></tr></table><p style="position:fixed">out</p>\n\n[x](javascript:alert(1)) ![x](data:image/png;base64,AAAA)',
    ],
    ['Everything <b>& "quotes"', 'Text & <b>bold</b> "quotes" \u2014 dash \u2026 &amp; &lt;entity&gt; 😀'],
    [
      'Long',
      Array.from({ length: 3000 }, (_, i) => `Paragraph ${i} of a long text with **bold**.`).join('\n\n'),
    ],
  ] as [string, string][]
).map(([title, body]) => ({ title, body }));
