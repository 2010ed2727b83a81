import fc from 'fast-check';
import type { ElementContent } from 'hast';
import { expect, test } from 'vitest';
import { element, textNode } from '#app/import/html/nodes.ts';
import { plainBlock } from '#app/import/html/plain-blocks.ts';
import { writeByLibrary } from '#app/import/html/to-markdown.ts';

const piece = fc.constantFrom(
  ...[
    'word',
    'words and more',
    'a, b',
    'so it is ',
    ' and',
    'word',
    'Größe',
    ' ',
    '  ',
    '\n',
    '1. ',
    '- ',
    '+ ',
    '# ',
    '(see',
    ')',
    '.',
    ', and',
    ': so',
    '“quoted”',
  ],
  ...[
    'a_b',
    '*',
    '[x]',
    '<b>',
    '&amp;',
    'www.x.de',
    'https://x.de',
    'me@x.de',
    '!',
    '~',
    '|',
    '\\',
    '😀',
    '%',
  ],
  ...['\u00a0', '= ', 'I. ', '2024', 'end.', '`', '$5', 'a:b', 'Ä', '́x'],
);
const words = fc.array(piece, { maxLength: 4 }).map((pieces) => textNode(pieces.join('')));
const address = fc.constantFrom(
  'https://x.de/a_b',
  '/a',
  'a(b)',
  '#x',
  'a b',
  'mailto:me@x.de',
  'word',
  'x?a=1&b=2',
);
const inline = fc.letrec<{ node: ElementContent }>((tie) => ({
  node: fc.oneof(
    { weight: 6, arbitrary: words },
    fc
      .tuple(
        fc.constantFrom('strong', 'em', 'code', 'b', 'i', 'del'),
        fc.array(tie('node'), { maxLength: 3 }),
      )
      .map(([name, children]) => element(name, children)),
    fc
      .tuple(address, fc.array(tie('node'), { maxLength: 3 }))
      .map(([href, children]) => element('a', children, { href })),
    fc.tuple(address, piece).map(([src, alt]) => element('img', [], { src, alt: alt.trim(), title: '' })),
    fc.constant(element('br')),
  ),
})).node;
const block = fc
  .tuple(fc.constantFrom('p', 'p', 'h2'), fc.array(inline, { maxLength: 6 }))
  .map(([name, children]) => element(name, children));

test('what is written without the library is what the library writes', () => {
  let plain = 0;
  fc.assert(
    fc.property(block, (node) => {
      const written = plainBlock(node);
      if (written === null) return;
      plain += 1;
      expect(written).toBe(writeByLibrary([node]));
    }),
    { numRuns: 20_000 },
  );
  expect(plain).toBeGreaterThan(500);
});

test('a paragraph as blogs have them is written without it', () => {
  const node = element('p', [
    'Lorem ',
    element('strong', ['ipsum']),
    ' dolor, ',
    element('a', ['consetetur'], { href: 'https://x.example/a' }),
    ' and ',
    element('code', ['x = 1']),
    '.',
  ]);
  expect(plainBlock(node)).toBe('Lorem **ipsum** dolor, [consetetur](https://x.example/a) and `x = 1`.');
});
