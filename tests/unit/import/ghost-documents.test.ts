import { expect, test } from 'vitest';
import { ghostBody } from '#app/import/ghost/post.ts';
import { ghostPostSchema } from '#app/import/ghost/export-file.ts';
import { readGhostRedirects } from '#app/import/ghost/address-files.ts';

const bodyOf = (fields: Record<string, string>) =>
  ghostBody(ghostPostSchema.parse({ id: 1, ...fields })).markdown;
const lexical = (...children: unknown[]) => bodyOf({ lexical: JSON.stringify({ root: { children } }) });
const mobiledoc = (document: object) =>
  bodyOf({ mobiledoc: JSON.stringify({ version: '0.3.1', ...document }) });
const text = (value: string, format = 0) => ({ type: 'text', text: value, format });

test('HTML comes first, then Lexical, then Mobiledoc', () => {
  const documents = { lexical: '{"root":{"children":[]}}', mobiledoc: '{"sections":[]}' };
  expect(bodyOf({ ...documents, html: '<p>a</p>' })).toBe('a');
  expect(bodyOf(documents)).toBe('');
  expect(bodyOf({ mobiledoc: '{"sections":[[1,"p",[[0,[],0,"b"]]]]}' })).toBe('b');
  expect(bodyOf({})).toBe('');
});

test('Lexical: texts, lists, links', () => {
  expect(
    lexical(
      { type: 'extended-heading', tag: 'h3', children: [text('Head')] },
      { type: 'paragraph', children: [text('a '), text('b', 3), { type: 'linebreak' }, text('<c>', 16)] },
      { type: 'list', listType: 'bullet', children: [{ type: 'listitem', children: [text('x')] }] },
      { type: 'list', listType: 'number', start: 3, children: [{ type: 'listitem', children: [text('y')] }] },
      { type: 'quote', children: [{ type: 'link', url: '/z?a=1&b="', children: [text('z')] }] },
      { type: 'unknown', children: [text('kept')] },
    ),
  ).toBe('### Head\n\na **_b_**\\\n`<c>`\n\n- x\n\n3. y\n\n> [z](/z?a=1\\&b=")\n\nkept');
});

test('Lexical: a list inside a list belongs to the item before it', () => {
  const list = (...children: unknown[]) => ({ type: 'list', listType: 'bullet', children });
  const item = (...children: unknown[]) => ({ type: 'listitem', children });
  const inner = list(item(text('b')), item(list(item(text('c')))));
  expect(lexical(list(item(text('a')), item(inner), item(text('d'))))).toBe('- a\n  - b\n    - c\n- d');
});

test.each<[card: Record<string, unknown> & { type: string }, markdown: string]>([
  [{ type: 'markdown', markdown: '*typed* [a][b]\n\n[b]: /c' }, '*typed* [a][b]\n\n[b]: /c'],
  [{ type: 'html', html: '<p>H</p><script>x</script>' }, 'H'],
  [
    { type: 'image', src: '__GHOST_URL__/content/images/a.png', alt: 'A', caption: '<b>C</b>' },
    '![A](/content/images/a.png)\n\n***C***',
  ],
  [{ type: 'image', src: '/a.png', href: 'https://full.example/' }, '[![](/a.png)](https://full.example/)'],
  [{ type: 'gallery', images: [{ src: '/1.png', alt: '' }, { src: '/2.png' }] }, '![](/1.png) ![](/2.png)'],
  [{ type: 'codeblock', code: '<x>', language: 'html' }, '```html\n<x>\n```'],
  [{ type: 'horizontalrule' }, '---'],
  [{ type: 'bookmark', url: 'https://x.example/', metadata: { title: 'T' } }, '[T](https://x.example/)'],
  [{ type: 'embed', url: 'https://y.example/', html: '' }, '<https://y.example/>'],
  [{ type: 'callout', calloutText: 'Mind', calloutEmoji: '!' }, '> [!NOTE]\n>\n> ! Mind'],
  [
    { type: 'toggle', heading: 'S', content: '<p>in</p>' },
    '<details><summary>S</summary>\n\nin\n\n</details>',
  ],
  [{ type: 'button', buttonUrl: 'https://b.example/', buttonText: 'Go' }, '[Go](https://b.example/)'],
  [{ type: 'video', src: '/v.mp4' }, '![](/v.mp4)'],
  [{ type: 'paywall' }, ''],
])('the Lexical card $type', (card, markdown) => {
  const before = { type: 'paragraph', children: [text('Before')] };
  const after = { type: 'paragraph', children: [text('After')] };
  const expected = ['Before', markdown, 'After'].filter((part) => part !== '').join('\n\n');
  expect(lexical(before, card, after)).toBe(expected);
});

const mobiledocSections = [
  [1, 'h2', [[0, [], 0, 'Head']]],
  [
    1,
    'p',
    [
      [0, [0], 0, 'bold '],
      [0, [1], 2, 'link'],
      [1, [], 0, 0],
      [0, [2], 1, '<end>'],
    ],
  ],
  [3, 'ol', [[[0, [], 0, 'one']], [[0, [], 0, 'two']]]],
  [10, 0],
  [10, 1],
  [2, '/b.png'],
  [99, 'x'],
];

test('Mobiledoc: markups that run over several markers, atoms, lists, cards', () => {
  expect(
    mobiledoc({
      atoms: [['soft-return', '', {}]],
      cards: [
        ['markdown', { markdown: '# typed' }],
        ['image', { src: '/a.png', alt: 'A' }],
      ],
      markups: [['strong'], ['a', ['href', 'https://x.example/']], ['script']],
      sections: mobiledocSections,
    }),
  ).toBe(
    '## Head\n\n**bold [link](https://x.example/)**\\\n\\<end>\n\n1. one\n2. two\n\n# typed\n\n![A](/a.png)\n\n![](/b.png)',
  );
});

test.each([['{'], ['null'], ['{"root":1}']])('%s is no Lexical document', (json) => {
  expect(() => bodyOf({ lexical: json })).toThrow('Its Lexical document cannot be read.');
});

test.each([['{'], ['[]'], ['{"sections":1}']])('%s is no Mobiledoc document', (json) => {
  expect(() => bodyOf({ mobiledoc: json })).toThrow('Its Mobiledoc document cannot be read.');
});

test('redirects: plain paths in any writing', () => {
  const rules = [
    { from: '^\\/a\\/b\\.html$', to: 'https://old.example/x/' },
    { from: '/a b/', to: '/x' },
    { from: '^/c/?$', to: '/y/' },
    { from: '^/(d|e)/$', to: '/y/' },
    { from: '/f', to: '/' },
  ];
  const { byTarget, leftOut } = readGhostRedirects(JSON.stringify(rules));
  expect([...byTarget]).toEqual([
    ['/x', ['/a/b.html', '/a b']],
    ['/y', ['/c']],
  ]);
  expect(leftOut).toHaveLength(2);
});

const told = (fields: Record<string, string>) => ghostBody(ghostPostSchema.parse({ id: 1, ...fields }));

test('a Lexical card without an address, and one of an unknown kind, is named', () => {
  const cards = [
    { type: 'embed', url: '', html: '' },
    { type: 'embed', url: 'https://y.example/', html: '<iframe></iframe>' },
    { type: 'bookmark', url: '', metadata: { title: 'T' } },
    { type: 'image', src: '', alt: 'A' },
    { type: 'gallery', images: [] },
    { type: 'audio', src: '/s.mp3', title: 'Sound' },
    { type: 'file', src: '', fileTitle: 'F' },
    { type: 'poll', question: 'Q' },
  ];
  const { markdown, warnings } = told({ lexical: JSON.stringify({ root: { children: cards } }) });
  expect(markdown).toBe('<https://y.example/>\n\nT\n\n![Sound](/s.mp3)\n\nF');
  expect(warnings).toEqual([
    'A bookmark without an address became text.',
    'A gallery without pictures was left out.',
    'A file without an address became text.',
    'The card “poll” is unknown and was left out.',
    'An embed without an address was left out.',
    'A picture without an address was left out.',
  ]);
});

test('a wide picture with a link is named, unless the link leads to the picture itself', () => {
  const wide = (fields: object) => {
    const card = { type: 'image', src: '/a.png', caption: 'C', cardWidth: 'wide', ...fields };
    return told({ lexical: JSON.stringify({ root: { children: [card] } }) });
  };
  expect(wide({ href: 'https://shop.example/' })).toEqual({
    markdown: '[![](/a.png)](https://shop.example/)\n\n*C*',
    warnings: ['A wide picture with a link became as wide as the text.'],
  });
  const kept = { markdown: '![](/a.png "C") {.wide}', warnings: [] };
  expect([wide({}), wide({ href: '/a.png' })]).toEqual([kept, kept]);
});

test('a Mobiledoc card of an unknown kind is named', () => {
  const document = JSON.stringify({ version: '0.3.1', cards: [['poll', {}]], sections: [[10, 0]] });
  expect(told({ mobiledoc: document }).warnings).toEqual(['The card “poll” is unknown and was left out.']);
});

test('a bookmark in HTML without an address becomes its title', () => {
  const html =
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container"><div class="kg-bookmark-title">T</div></a></figure>';
  expect(told({ html }).markdown).toBe('T');
});
