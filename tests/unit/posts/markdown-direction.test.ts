import { expect, it } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

const html = async (markdown: string, language?: string) =>
  (await renderMarkdown(markdown, { language })).html;

it.each([
  ['مرحبا hello', 'en', '<p dir="auto">مرحبا hello</p>'],
  ['hello مرحبا', 'en', '<p>hello مرحبا</p>'],
  ['שלום', undefined, '<p dir="auto">שלום</p>'],
  ['مرحبا', 'ar', '<p>مرحبا</p>'],
  ['Hello', 'ar', '<p dir="auto">Hello</p>'],
  ['**«12» مرحبا**', 'en', '<p dir="auto"><strong>«12» مرحبا</strong></p>'],
  ['2026: 100 %', 'ar', '<p>2026: 100 %</p>'],
  ['> مرحبا', 'en', '<blockquote dir="auto">\n<p dir="auto">مرحبا</p>\n</blockquote>'],
  ['- مرحبا\n- hello', 'en', '<ul dir="auto">\n<li dir="auto">مرحبا</li>\n<li>hello</li>\n</ul>'],
  ['- hello\n- مرحبا', 'en', '<ul>\n<li>hello</li>\n<li dir="auto">مرحبا</li>\n</ul>'],
  ['<p dir="rtl">Hello</p>', 'en', '<p dir="rtl">Hello</p>'],
])('%s in %s', async (markdown, language, expected) => {
  expect(await html(markdown, language)).toBe(expected);
});

it('headings, cells and captions have their own direction', async () => {
  const text = '## مرحبا\n\n| a | b |\n|---|---|\n| مرحبا | b |\n\n![a](/b.jpg "مرحبا")';
  const shown = await html(text, 'en');
  for (const tag of ['<td dir="auto">', '<figcaption dir="auto">']) expect(shown).toContain(tag);
  expect(shown).toMatch(/<h2 [^>]*dir="auto"/);
  expect(shown).not.toMatch(/<table[^>]*dir=/);
});
