import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';
import { problemsIn } from '#tests/support/xss-payloads.ts';

const size = 20_000;
const fill = (pattern: string) => pattern.repeat(size / pattern.length);
const half = (open: string, close: string) =>
  open.repeat(size / 2 / open.length) + 'a' + close.repeat(size / 2 / close.length);

// Each of these took some parser more than quadratic time, or a stack or a heap that nobody has.
const explosive: Record<string, string> = {
  quotations: fill('> '),
  'lists in lists': fill('- '),
  'emphasis that opens and closes': half('*a **a ', ' a** a*'),
  'emphasis that only closes': fill('a_ '),
  'emphasis that only opens': fill('_a '),
  brackets: half('[', ']'),
  'brackets that never close': fill('['),
  'images that never close': fill('!['),
  'links in images': half('![', ']()'),
  'link addresses that never end': fill('[a](<b'),
  'growing runs of backticks': Array.from({ length: 340 }, (_, length) => 'e' + '`'.repeat(length)).join(''),
  'comments that never end': fill('</<!--'),
  'declarations that never end': fill('<!A '),
  'CDATA that never ends': fill('<![CDATA['),
  'a definition a hundred thousand times': fill('[a]: u\n') + fill('[a] '),
  'a long address, often': `[a]: ${'u'.repeat(size)}\n\n${fill('[a]')}`,
  'one note, often': `[^1]: x\n\n${fill('[^1] ')}`,
  'a very wide table': `${'|a'.repeat(2_000)}\n${'|-'.repeat(2_000)}\n${'|b\n'.repeat(1_000)}`,
  'addresses that go on': fill('http://a'),
  'closing parentheses': `http://a.b/${fill(')')}`,
  entities: `http://a.b/${fill('&a;')}`,
  'at signs': fill('a@'),
  tildes: fill('~a '),
  'divs in divs': fill('<div>\n\n'),
  'unclosed formatting before paragraphs':
    Array.from({ length: 3_000 }, (_, number) => `<b id=x${number}>`).join('') + `\n\n${fill('a\n\n')}`,
  'tables in tables': fill('<table><tr><td>'),
  'an unknown element around everything': `<x>\n\n${'a\n\n'.repeat(60_000)}</x>`,
  'one long word': fill('h'),
  NULs: fill('\0'),
  'lone surrogates': fill('\ud800'),
  'code in one line': '```js\n' + fill('a=[') + '\n```',
};

test.each(Object.entries(explosive))('%s: rendered in time, and inert', async (_name, text) => {
  const before = process.cpuUsage();
  const { html } = await renderMarkdown(text);
  const { user, system } = process.cpuUsage(before);
  // CPU, since other suites run beside this one. Linear work takes a fraction of it.
  expect((user + system) / 1e6).toBeLessThan(12);
  expect(html.length).toBeLessThan(20 * text.length + 1_000_000);
});

test('two megabytes of ordinary text', async () => {
  const paragraph = 'Lorem *ipsum* dolor [sit](/x) `amet`, consectetur www.example.org adipiscing elit.\n\n';
  const text = paragraph.repeat((2 * 1024 * 1024) / paragraph.length);
  const { wordCount } = await renderMarkdown(text);
  expect(wordCount).toBe(9 * Math.floor((2 * 1024 * 1024) / paragraph.length));
}, 120_000);

test('a text whose tree would be too large is shown as its source', async () => {
  const { html } = await renderMarkdown(explosive['unclosed formatting before paragraphs']!);
  expect(html).toMatch(/^<pre tabindex="0">&#x3C;b id=x0>/);
});

test('any text at all renders, and what comes out is inert', async () => {
  const markup = fc.constantFrom(
    ...'# * _ ~ ` [ ] ( ) ! > < / - + | : \n \t & ; = " \' \\ a 1 @ . ^ <b> <a href= </p> <td> <script> <svg> ``` www. http:// javascript: [^1] [^1]: <!-- --> 数 \u0000 \ud800 \u202e'.split(
      ' ',
    ),
  );
  const text = fc.oneof(
    fc.array(markup, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.array(markup, { maxLength: 40 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (markdown) => {
      const { html } = await renderMarkdown(markdown);
      expect(problemsIn(html)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
}, 120_000);
