import { describe, expect, it, test } from 'vitest';
import { renderMarkdown, type RenderOptions } from '#app/posts/markdown/render.server.ts';
import { problemsIn } from '#tests/support/xss-payloads.ts';

const html = async (markdown: string, options: RenderOptions = {}) =>
  (await renderMarkdown(markdown, options)).html;

describe('call-outs', () => {
  it('have a title in the language of the text, and keep what follows', async () => {
    expect(await html('> [!NOTE]\n> Hello *you*\n>\n> more', { language: 'de-AT' })).toBe(
      '<div class="callout callout-note" role="note">\n<p class="callout-title">Hinweis</p>\n<p>Hello <em>you</em></p>\n<p>more</p>\n</div>',
    );
    expect(await html('> [!warning] My *own*\n> - a')).toContain(
      '<p class="callout-title">My <em>own</em></p>\n<ul>',
    );
    expect(await html('> [!TIP]', { language: 'zh-TW' })).toContain(
      '<p class="callout-title">提示</p>\n</div>',
    );
  });

  it.each(['> [!OTHER]\n> x', '> a\n> [!NOTE]', '[!NOTE]\nx', '> [!NOTE](x)'])('%j is none', async (text) => {
    expect(await html(text)).not.toContain('callout');
  });

  it('end where their quotation ends', async () => {
    const text = '> > [!NOTE]\n> > in\n>\n> out';
    expect(await html(text)).toMatch(
      /^<blockquote>\n<div [^]*in<\/p>\n<\/div>\n<p>out<\/p>\n<\/blockquote>$/,
    );
  });
});

describe('code blocks', () => {
  it('have a caption and marked lines, coloured or not', async () => {
    const code = await html('```js title="a <b>.js" {1,3-4}\nlet a = `x\ny`;\nb\nc\n```');
    expect(code).toContain(
      '<figure class="code"><figcaption>a &#x3C;b>.js</figcaption><pre tabindex="0"><code class="language-js">',
    );
    expect(code).toContain(
      '</span><span class="hl-line">b\n</span><span class="hl-line">c\n</span></code></pre></figure>'.slice(
        7,
      ),
    );
    expect(await html('```text {2}\na\nb\nc\n```')).toBe(
      '<pre tabindex="0"><code class="language-text">a\n<span class="hl-line">b\n</span>c\n</code></pre>',
    );
  });

  it('are as before without either', async () => {
    expect(await html('```text ignore\na\n```')).toBe(
      '<pre tabindex="0"><code class="language-text">a\n</code></pre>',
    );
  });
});

describe('maths', () => {
  it.each([
    ['$x^2$', '<msup><mi>x</mi><mn>2</mn></msup>'],
    ['($`y`$)', '<mi>y</mi>'],
    ['$$\n\\frac{a}{b}\n$$', '<mfrac><mi>a</mi><mi>b</mi></mfrac>'],
    ['> $$ x $$', 'display="block"'],
    ['```math\ny\n```', 'display="block"'],
  ])('%j is MathML', async (text, expected) => {
    const result = await html(text);
    expect(result).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML"');
    expect(result).toContain(expected);
    expect(result).not.toMatch(/style=|annotation|\$/);
  });

  it.each([
    'It costs $5 and $10, or $5-$10.',
    '$HOME/$USER and US$5 a$b$c',
    '$ x $',
    '\\$a\\$',
    '`$x$`',
    '```sh\n$ ls $x$\n```',
    '$$\n\nx\n$$',
  ])('%j is none', async (text) => {
    expect(await html(text)).not.toContain('<math');
  });

  it('shows a formula with a fault, and what is too long, as it is', async () => {
    expect(await html('$\\bad{x}$')).toBe('<p><code>\\bad{x}</code></p>');
    const many = await html('$\\alpha + \\beta$ '.repeat(5_000));
    expect(many).toMatch(/<code>\\alpha \+ \\beta<\/code><\/p>$/);
  });

  it('brings in nothing that is live', async () => {
    for (const text of [
      '\\href{javascript:alert(1)}{x}',
      '\\html@mathml{<script>}{<img onerror=x>}',
      '\\fcolorbox{red}{blue}{x}',
    ])
      expect(
        problemsIn(await html(`$${text}$`)).filter((problem) => !/^<(m\w+|semantics)>$/.test(problem)),
      ).toEqual([]);
  });
});

test.each<[language: string, typed: string, set: string]>([
  [
    'en',
    `"It's 'so' nice," he said -- twice... in the '90s.`,
    '“It’s ‘so’ nice,” he said – twice… in the ’90s.',
  ],
  ['en', `5" x="y" --release a---b "'x'." \`"q" --\``, `5" x="y" --release a—b “‘x’.” <code>"q" --</code>`],
  ['de', `"Ja, 'wirklich' *so*", z. B. § 5`, '„Ja, ‚wirklich‘ <em>so</em>“, z.\u202fB. §\u00a05'],
  ['de-CH', '"Ja"', '«Ja»'],
  ['fr', '"Ça va ?" : oui !', '«\u00a0Ça va\u202f?\u00a0»\u00a0: oui\u202f!'],
])('typography of %s: %s', async (language, typed, set) => {
  expect(await html(typed, { language, smartTypography: true })).toBe(`<p>${set}</p>`);
  expect(await html(typed, { language })).not.toContain('’');
});
