import { expect, it } from 'vitest';
import { comparePages } from '#app/posts/history/compare-pages.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

const render = async (markdown: string) => (await renderMarkdown(markdown)).html;
const compare = async (before: string, after: string) =>
  comparePages(await render(before), await render(after))!
    .map(({ html }) => html)
    .join('');

it.each([
  [
    'words of a paragraph',
    'The boat leaves.',
    'The ferry leaves.',
    '<p>The <del class="change">boat</del><ins class="change">ferry</ins> leaves.</p>',
  ],
  [
    'the end of a paragraph',
    'One two.',
    'One two. Three.',
    '<p>One two.<ins class="change"> Three.</ins></p>',
  ],
  [
    'a removed end before a link',
    'See [it](/x) now.',
    'See [it](/x).',
    '<p>See <a href="/x">it</a><del class="change"> now</del>.</p>',
  ],
  ['a new paragraph', 'One.', 'One.\n\nTwo.', '<p>One.</p><ins class="change"><p>Two.</p></ins>'],
  [
    'a paragraph before a changed one',
    'The boat leaves.',
    'New.\n\nThe boat left.',
    '<ins class="change"><p>New.</p></ins><p>The boat <del class="change">leaves</del><ins class="change">left</ins>.</p>',
  ],
  [
    'a paragraph of other words',
    'One.',
    'Wind',
    '<del class="change"><p>One.</p></del><ins class="change"><p>Wind</p></ins>',
  ],
  [
    'markup alone',
    'One two.',
    'One **two**.',
    '<del class="change"><p>One two.</p></del><ins class="change"><p>One <strong>two</strong>.</p></ins>',
  ],
  [
    'an item',
    '- a\n- b\n- c',
    '- a\n- c\n- d',
    '<ul><li>a</li><li><del class="change">b</del></li><li>c</li><li><ins class="change">d</ins></li></ul>',
  ],
  ['a row', '| A |\n| - |\n| 1 |', '| A |\n| - |\n| 1 |\n| 2 |', '<td><ins class="change">2</ins></td>'],
  ['a picture', 'See ![A](/a.png)', 'See ![B](/b.png)', 'See <del class="change"><img src="/a.png"'],
  ['code', '```js\na\n```', '```js\nb\n```', '<del class="change"><pre'],
])('%s', async (_, before, after, expected) => {
  const html = await compare(before, after);
  expect(html.replaceAll('\n', '')).toContain(expected);
});

it('a text stays as safe as it was rendered, and names no place twice', async () => {
  const html = await compare(
    '## One\n\n<b onclick="x()">a</b> b[^1]\n\n[^1]: Note.',
    '## One\n\n<script>x()</script>a c[^1]\n\n[^1]: Noted.',
  );
  expect(html).not.toMatch(/script|onclick| id=|aria-describedby|aria-labelledby/);
});

it('unchanged blocks far from a change are folded', async () => {
  const blocks = Array.from({ length: 9 }, (_, index) => `Paragraph ${index}.`);
  const shown = comparePages(
    await render(blocks.join('\n\n')),
    await render(blocks.with(8, 'Paragraph eight.').join('\n\n')),
  )!;
  expect(shown.map(({ folded }) => folded)).toEqual([6, undefined]);
});

it('large texts that differ everywhere are not compared, and others are, in the time of a worker', async () => {
  const text = (word: string, every: number) =>
    Array.from(
      { length: 1_500 },
      (_, index) =>
        `A boat ${index} leaves the ${index % every ? 'quay' : word} at ${index * 7} with all of its passengers.`,
    ).join('\n\n');
  const before = await render(text('quay', 1));
  expect(before.length).toBeGreaterThan(100_000);
  expect(comparePages(before, await render(text('pier', 1)))).toBeNull();
  const shown = comparePages(before, await render(text('pier', 50)))!;
  expect(
    shown
      .map(({ html }) => html)
      .join('')
      .match(/<ins/g),
  ).toHaveLength(30);
});
