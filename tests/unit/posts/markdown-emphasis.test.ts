import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

test.each([
  ['**注意。**请看', '<strong>注意。</strong>请看'],
  ['这是**「强调」**的字', '这是<strong>「强调」</strong>的字'],
  ['**"강조"**는', '<strong>"강조"</strong>는'],
  ['~~済み。~~次へ', '<del>済み。</del>次へ'],
  ['**等一下——**他说', '<strong>等一下——</strong>他说'],
  ['价格是**¥100**元', '价格是<strong>¥100</strong>元'],
  ['图**![a](/b)**字', '图<strong><img src="/b" alt="a" decoding="async"></strong>字'],
  // As CommonMark has it.
  ['a **"b"**c', 'a **"b"**c'],
  ['2 * 3 * 4, 字 * 字', '2 * 3 * 4, 字 * 字'],
])('%s', async (markdown, html) => {
  expect((await renderMarkdown(markdown)).html).toBe(`<p>${html}</p>`);
});

// Footnote signs and the tildes that draw words out.
test.each([
  '감사합니다~! 또 오세요~!',
  '好的~~，谢谢~~！',
  '好~，再见~。',
  '1등급~(상), 2등급~(하)',
  '가격*, 수량*, 합계',
  '价格*（含税），数量*（件）',
  '山田太郎*、鈴木花子*、佐藤*',
  '注：*甲、*乙',
  '价格**，数量**，合计',
  '太好了**! 再见**!',
])('%s stays as it is', async (markdown) => {
  expect((await renderMarkdown(markdown)).html).toBe(`<p>${markdown}</p>`);
});
