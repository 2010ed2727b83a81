import { expect, it } from 'vitest';
import { markdownToHtml } from '#app/posts/markdown/parser.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

it.each([
  ['[Subscribe](/newsletter){.button}', '<p><a href="/newsletter" class="button">Subscribe</a></p>'],
  ['See [this](/x){.button}', '<p>See <a href="/x">this</a>{.button}</p>'],
  ['[a](/x) [b](/y){.button}', '<p><a href="/x">a</a> <a href="/y">b</a>{.button}</p>'],
  ['[a](/x){.other}', '<p><a href="/x">a</a>{.other}</p>'],
  [
    '[*Tides*](https://www.example.org/t "All of them"){.bookmark}',
    '<p><a href="https://www.example.org/t" class="bookmark"><strong><em>Tides</em></strong> <span>All of them</span> <small>example.org</small></a></p>',
  ],
  [
    '[T](/x "<b>"){.bookmark}',
    '<p><a href="/x" class="bookmark"><strong>T</strong> <span>&lt;b&gt;</span></a></p>',
  ],
])('%s', (markdown, html) => expect(markdownToHtml(markdown)!.trim()).toBe(html));

it('the class stays on the page, and no other does', async () => {
  const { html } = await renderMarkdown('[a](/x){.button}\n\n<a class="button other" href="/y">b</a>');
  expect(html).toContain('<a href="/x" class="button">a</a>');
  expect(html).not.toContain('other');
});
