// Marks stand at words: what word processors put into bold and links beside the words goes out of them.
import { expect, it } from 'vitest';
import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

it.each([
  ['<p><b>bold </b>words</p>', '**bold** words'],
  ['<p>some<b> bold</b> words</p>', 'some **bold** words'],
  ['<p>some <b> bold </b> words</p>', 'some **bold** words'],
  ['<p><b><i>both </i></b>words</p>', '**_both_** words'],
  ['<p><b>bold <i>both </i></b>words</p>', '**bold _both_** words'],
  ['<p><b>bold&nbsp;</b>words</p>', '**bold**\u00a0words'],
  ['<p>some<b> </b>words</p>', 'some words'],
  ['<p>some<b>&nbsp;</b><i> </i>words</p>', 'some\u00a0 words'],
  ['<p><b>bold</b><b> more </b>words</p>', '**bold** **more** words'],
  ['<p><b>bo</b><b>ld</b></p>', '**bold**'],
  ['<p><del>gone </del>words</p>', '~~gone~~ words'],
  ['<p><a href="/x">link </a>words</p>', '[link](/x) words'],
  ['<p>words<b>, bold</b></p>', 'words, **bold**'],
  ['<p><b>Note:</b>words</p>', '**Note**:words'],
  ['<p><b>Note: </b>words</p>', '**Note:** words'],
  ['<p><b>“Quoted”</b> words</p>', '**“Quoted”** words'],
  ['<p><b>bold<br></b>words</p>', '**bold**\\\nwords'],
  ['<p>some <b><img src="/a.png" alt="a"> </b>words</p>', 'some **![a](/a.png)** words'],
  ['<ul><li><b>One </b>more</li></ul>', '- **One** more'],
  [
    '<table><tr><th><b>A </b></th></tr><tr><td>x<i> y</i></td></tr></table>',
    '| **A** |\n| ----- |\n| x *y* |',
  ],
])('%s', async (html, markdown) => {
  const converted = htmlToMarkdown(html).markdown;
  expect(converted.replace(/\| -+ \|/, '| ----- |')).toBe(markdown);
  expect(converted).not.toMatch(/&#x/);
  const { plainText } = await renderMarkdown(converted);
  const words = (text: string) => text.replace(/[\s\u00a0]+/g, '');
  expect(words(plainText)).toBe(words(html.replace(/<[^>]*>|&nbsp;/g, '')));
});

it('takes long runs in linear time', () => {
  const before = process.cpuUsage();
  htmlToMarkdown(`<p>a<b>${' , '.repeat(50_000)}b${' . '.repeat(50_000)}</b>c</p>`);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
});
