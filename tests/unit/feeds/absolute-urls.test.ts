import { expect, test } from 'vitest';
import { withAbsoluteUrls } from '#app/feeds/markup.ts';

const base = 'https://blog.example.org/posts/a';

test.each([
  ['<a href="/b?x=1&#x26;y=2">b</a>', '<a href="https://blog.example.org/b?x=1&amp;y=2">b</a>'],
  ['<a href="#note">n</a>', '<a href="https://blog.example.org/posts/a#note">n</a>'],
  ['<a href="c">c</a>', '<a href="https://blog.example.org/posts/c">c</a>'],
  ["<img src='/i.png' alt='x'>", "<img src='https://blog.example.org/i.png' alt='x'>"],
  [
    '<video poster="/p.jpg" src="/v.mp4">',
    '<video poster="https://blog.example.org/p.jpg" src="https://blog.example.org/v.mp4">',
  ],
  [
    '<img srcset="/a.webp 1x, /b.webp 2x">',
    '<img srcset="https://blog.example.org/a.webp 1x, https://blog.example.org/b.webp 2x">',
  ],
  [
    '<h2 id="a-b">A b<a class="heading-anchor" href="#a-b" aria-hidden="true" tabindex="-1"></a></h2>',
    '<h2 id="a-b">A b</h2>',
  ],
  ['<a href="//cdn.example.org/x">x</a>', '<a href="https://cdn.example.org/x">x</a>'],
])('%s', (html, expected) => {
  expect(withAbsoluteUrls(html, base)).toBe(expected);
});

test.each([
  '<a href="https://example.org/x?a=1&#x26;b">x</a>',
  '<a href="mailto:a@example.org">x</a>',
  '<code>&#x3C;a href="/x"></code>',
  '<img alt="src=&#x22;/x&#x22; " src="https://example.org/i.png">',
])('%s stays as it is', (html) => {
  expect(withAbsoluteUrls(html, base)).toBe(html);
});
