import { expect, test } from 'vitest';
import { addressesOf, replaceAddresses } from '#app/posts/markdown/addresses.ts';

const mark = (markdown: string) =>
  replaceAddresses(markdown, (address) => (/^(a b|x)\.png$/.test(address) ? '/uploads/1.png' : null));

test.each([
  ['![t](x.png)', '![t](/uploads/1.png)'],
  ['![t]( x.png "title")', '![t]( /uploads/1.png "title")'],
  ['![t](<a b.png>)', '![t](/uploads/1.png)'],
  ['![t](a%20b.png)', '![t](/uploads/1.png)'],
  ['![t][r]\n\n[r]: x.png', '![t][r]\n\n[r]: /uploads/1.png'],
  ['> [r]: <x.png> "title"', '> [r]: /uploads/1.png "title"'],
  ['[^r]: [t](x.png)', '[^r]: [t](/uploads/1.png)'],
  ['[![t](x.png)](x.png)', '[![t](/uploads/1.png)](/uploads/1.png)'],
  ['<img alt="x" src="x.png" width=3>', '<img alt="x" src="/uploads/1.png" width=3>'],
  ["<a href='x.png'><img src=x.png></a>", "<a href='/uploads/1.png'><img src=/uploads/1.png></a>"],
  ['<video poster="x.png" src="y.mp4">', '<video poster="/uploads/1.png" src="y.mp4">'],
  ['![](f.mp4){.wide poster=x.png}', '![](f.mp4){.wide poster=/uploads/1.png}'],
  ['![](f.mp4){poster=x.png}', '![](f.mp4){poster=/uploads/1.png}'],
])('replaces in %s', (markdown, expected) => {
  expect(mark(markdown)).toBe(expected);
});

test.each([
  '`![t](x.png)`',
  '`` a ` ![t](x.png) ``',
  '```\n![t](x.png)\n```',
  '    ![t](x.png)',
  '- a\n\n  ~~~\n  <img src="x.png">\n  ~~~',
  'x.png and (x.png)',
  '[^r]: x.png is a footnote',
  '![t](xx.png)',
])('leaves %s', (markdown) => {
  expect(mark(markdown)).toBe(markdown);
});

test('code ends where it ends', () => {
  expect(mark('`a` ![t](x.png) `b`')).toBe('`a` ![t](/uploads/1.png) `b`');
  expect(mark('a ` b\n\n![t](x.png) ` c')).toBe('a ` b\n\n![t](/uploads/1.png) ` c');
});

test('finds each address once, in order, as it is meant', () => {
  expect(
    addressesOf(
      '[a](https://en.wikipedia.org/wiki/A_(b)) ![](x\\_y.png) <img src="?a=1&amp;b=2"> [b](#c) ![](x\\_y.png)',
    ),
  ).toEqual(['https://en.wikipedia.org/wiki/A_(b)', 'x_y.png', '?a=1&b=2', '#c']);
});

test('an address with parentheses or spaces comes out as one that Markdown can read', () => {
  expect(replaceAddresses('![t](x.png)', () => 'media/a (1).png')).toBe('![t](media/a%20%281%29.png)');
  expect(addressesOf('![t](media/a%20%281%29.png)')).toEqual(['media/a (1).png']);
});

test('300 KB of a mark that is never closed take no quadratic time', () => {
  for (const part of ['`', '`` ` ', '[a](b', '](', ' src=', '\n[', '<a href="', '```\n'])
    expect(addressesOf(part.repeat(300_000 / part.length))).toBeInstanceOf(Array);
});

test('an address alone becomes a link that reads as before', () => {
  const replace = (address: string) => (address.startsWith('https://old.example/a_b') ? '/posts/a' : null);
  expect(
    replaceAddresses('<https://old.example/a_b/> `<https://old.example/a_b/>` <https://x.example/>', replace),
  ).toBe('[https://old.example/a\\_b/](/posts/a) `<https://old.example/a_b/>` <https://x.example/>');
});
