import { expect, it } from 'vitest';
import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

it.each([
  'A *starred* word, and snake_case_names',
  '_So_ it says: [sic]',
  'From `a` to ~~b~~ for $5 or $6',
  'C:\\*.txt &amp; "more"',
  'A plain one',
])('an imported caption says what it said: %s', async (caption) => {
  const escaped = caption.replace(/&/g, '&amp;');
  const { markdown } = htmlToMarkdown(
    `<figure><img src="/uploads/b.jpg" alt="Boats"><figcaption>${escaped}</figcaption></figure>`,
  );
  const { plainText, html } = await renderMarkdown(markdown);
  expect(html).toContain('<figcaption>');
  expect(plainText).toBe(caption);
});
