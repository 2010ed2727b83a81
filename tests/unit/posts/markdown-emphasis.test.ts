import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown.server.ts';

test.each([
  ['**注意。**请看', '<strong>注意。</strong>请看'],
  ['这是**「强调」**的字', '这是<strong>「强调」</strong>的字'],
  ['**"강조"**는', '<strong>"강조"</strong>는'],
  ['~~済み。~~次へ', '<del>済み。</del>次へ'],
  // As CommonMark has it.
  ['a **"b"**c', 'a **"b"**c'],
  ['2 * 3 * 4, 字 * 字', '2 * 3 * 4, 字 * 字'],
])('%s', async (markdown, html) => {
  expect((await renderMarkdown(markdown)).html).toBe(`<p>${html}</p>`);
});
