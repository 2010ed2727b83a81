// Texts of opening marks that nothing closes: each reader passes over them once.
import { expect, it } from 'vitest';
import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import { dialects } from '#app/import/markdown/dialects/dialects.ts';
import { transformBody } from '#app/import/markdown/syntax/transform-body.ts';
import { picturesOf } from '#app/import/media/folder.server.ts';
import { wordpressToMarkdown } from '#app/import/wordpress/html.ts';
import { addressesOf } from '#app/posts/markdown/addresses.ts';

const context = { postAt: () => null, postNamed: () => null, fileNamed: () => null, warn: () => {} };
const syntaxes = [...new Set(Object.values(dialects).flatMap(({ syntax }) => syntax))];
const readers: [name: string, read: (text: string) => unknown][] = [
  ['WordPress', (text) => wordpressToMarkdown(text)],
  ['HTML', (text) => htmlToMarkdown(text)],
  ['addresses', (text) => addressesOf(text)],
  ['pictures', (text) => picturesOf(text)],
  ...syntaxes.map((syntax): [string, (text: string) => unknown] => [
    syntax,
    (text) => transformBody(text, [syntax], context),
  ]),
];

const openings = [
  ...[
    '[gallery ',
    '[caption ',
    '[caption]',
    '[embed ',
    '[embed]',
    '[video ',
    '[audio x',
    '[youtube ',
    '[youtube=',
  ],
  ...[
    '[footnote ',
    '[code ',
    '[latex]',
    '[gallery ids="a',
    '<pre ',
    '<pre>',
    '<code>',
    '<a ',
    '<img ',
    '<p ',
  ],
  ...['<noscript>', '<img src="data:', '<!-- wp:block {', '<!-- wp:x ', '$latex ', '<td>', '<li>', '<b>'],
  ...['{{< ', '{{< x', '{{< highlight ', '{{% note %}}', '{{</* ', '{% ', '{% x ', '{% raw %}', '{% note %}'],
  ...[
    '{{ x',
    '{% x(',
    '<Tab ',
    '<Note>',
    '<X a={',
    '{/*',
    'import {a\n',
    '<script>',
    '<script ',
    '$$',
    '$x ',
  ],
  ...[
    ':::note\n',
    ':::note[',
    '[[',
    '![[',
    '==',
    '%%',
    '::a{',
    ':a[',
    ':a{',
    '[a]{',
    '{: .',
    '# a {',
    '!!! x "',
  ],
  ...[
    '](',
    '![',
    '[a]: ',
    '`',
    '```\n',
    '*',
    '> ',
    '- ',
    '| a ',
    'a\n',
    ' ',
    '&',
    '<',
    '[',
    '{#',
    '{::comment}',
  ],
];

const costOf = (read: (text: string) => unknown, text: string): number => {
  const before = process.cpuUsage();
  try {
    read(text);
  } catch {
    // What is nested too deeply is refused.
  }
  return process.cpuUsage(before).user / 1_000;
};

it.each(readers)('the reader of %s takes time in proportion to the text', (_name, read) => {
  const steep = openings.flatMap((opening) => {
    const text = (bytes: number) => opening.repeat(Math.ceil(bytes / opening.length));
    // Below this, in milliseconds, a difference tells of the machine.
    if (costOf(read, text(20_000)) < 150) return [];
    const [small, large] = [costOf(read, text(20_000)), costOf(read, text(60_000))];
    // Three times the text: what looks at every pair takes nine times as long.
    return large / small > 6 ? [`${opening} ${Math.round(small)} ${Math.round(large)}`] : [];
  });
  expect(steep).toEqual([]);
});
