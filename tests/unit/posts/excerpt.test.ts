import { describe, expect, test } from 'vitest';
import { excerptOf, plainText, shorten } from '#app/posts/markdown/excerpt.ts';

describe('the excerpt of a body', () => {
  test('comes from the first paragraphs, without markup', () => {
    const html =
      '<h2>Head</h2><p>One &#x26; <em>two</em>.<sup><a href="#fn">1</a></sup></p><pre>code</pre><p>Three.</p>';
    expect(excerptOf(html)).toBe('One & two. Three.');
  });

  test('ends at a word', () => {
    const excerpt = excerptOf(`<p>${'word '.repeat(100)}</p>`);
    expect(excerpt).toMatch(/^(word )+word…$/);
    expect([...excerpt].length).toBeLessThanOrEqual(220);
  });

  test('ends at a character where there are no spaces', () => {
    expect([...excerptOf(`<p>${'数据'.repeat(300)}</p>`)]).toHaveLength(220);
  });

  test('has neither the title of a call-out nor footnotes with their arrows', () => {
    const callOut = '<div class="callout"><p class="callout-title">Note</p><p>Two.</p></div>';
    const notes =
      '<section class="footnotes" role="doc-endnotes"><ol><li><p>A note. ↩</p></li></ol></section>';
    expect(excerptOf(`<p class="a">One.</p>${callOut}${notes}`)).toBe('One. Two.');
  });

  test('keeps raised letters and numbers, which are no footnotes', () => {
    const html =
      '<p>E = mc<sup>2</sup> in the 21<sup>st</sup> century,<sup><a href="#fn-1">1</a></sup> 10<sup>-6</sup> m.</p>';
    expect(excerptOf(html)).toBe('E = mc² in the 21st century, 10⁻⁶ m.');
  });

  test('keeps words on two lines apart', () => {
    expect(excerptOf('<p>One<br>two.</p>')).toBe('One two.');
  });

  test('is the beginning of a paragraph that is longer than what is read', () => {
    expect(excerptOf(`<p>${'<em>word</em> '.repeat(5_000)}</p>`)).toMatch(/^(word )+word…$/);
  });

  test.each(['<', '<sup ', '<section '])('takes no time for an attribute full of %j', (sign) => {
    const html = `<p><img alt="${sign.repeat(19_000 / sign.length)}" src="/a.png">Words.</p>`;
    const before = process.cpuUsage();
    expect(excerptOf(html)).toBe('Words.');
    const { user } = process.cpuUsage(before);
    // In microseconds. It takes less than one millisecond; quadratic work took a second.
    expect(user).toBeLessThan(500_000);
  });

  test('is empty for a body without paragraphs', () => {
    expect(excerptOf('<pre>x</pre>')).toBe('');
  });
});

test.each([
  ['a &lt;b&gt; &quot;c&quot;', 'a <b> "c"'],
  ['&#x1F600;&#65;', '😀A'],
  ['&#x0;&#xD800;x', 'x'],
  ['  a\n\n b ', 'a b'],
])('%s reads %s', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test('a short text is left alone', () => {
  expect(shorten('a b', 3)).toBe('a b');
});
