import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';
import { textFromHtml } from '#app/search/text-from-html.ts';

test('the number of a footnote is no part of the word before it, and its arrow no word', async () => {
  const { html } = await renderMarkdown('The harbour[^1] freezes.[^1]\n\n[^1]: In some winters.\n');
  expect(textFromHtml(html)).toBe('The harbour freezes.\nIn some winters.');
});
