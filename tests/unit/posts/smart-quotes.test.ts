import { expect, it } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

async function set(markdown: string, language = 'en'): Promise<string> {
  const { html } = await renderMarkdown(markdown, { language, smartTypography: true });
  return html
    .replaceAll('</p>\n<p>', ' / ')
    .replace(/<\/?p>/g, '')
    .replace(/\n$/, '');
}

it.each([
  ['..."end"...', '…“end”…'],
  ['"x"--y', '“x”–y'],
  ['y--"x"', 'y–“x”'],
  ['"x"---"y"', '“x”—“y”'],
  ['(x)--y, *x*--y, `x`--y', '(x)–y, <em>x</em>–y, <code>x</code>–y'],
  ['"x." -- "y"', '“x.” – “y”'],
  ['Use --help, "--help" or (--help); i-- and --i', 'Use --help, “--help” or (--help); i-- and --i'],
  ["Rock 'n' roll", 'Rock ’n’ roll'],
  ["fish 'n' chips, rock 'n roll, Rock'n'roll", 'fish ’n’ chips, rock ’n roll, Rock’n’roll'],
  ["the letter 'a'", 'the letter ‘a’'],
  ["In the '90s the dogs' day, '99 too", 'In the ’90s the dogs’ day, ’99 too'],
  ["'Tis the boys' night; get 'em", '’Tis the boys’ night; get ’em'],
  ["the root 'cause' of '42'", 'the root ‘cause’ of ‘42’'],
  ['["x"], {"y"}, ("z"), —"w"', '[“x”], {“y”}, (“z”), —“w”'],
  ['*"x"* and "*y*" and **"z**"', '<em>“x”</em> and “<em>y</em>” and <strong>“z</strong>”'],
  [`"He said 'no'" and 'she "yes"'`, '“He said ‘no’” and ‘she “yes”’'],
  ['pre-"war" and key="value"', 'pre-“war” and key="value"'],
  ['A 5" disk and 6\' tall', 'A 5" disk and 6’ tall'],
])('%s is set as %s', async (typed, expected) => {
  expect(await set(typed)).toBe(expected);
});

it.each([
  ['"First para\n\nSecond para."', '“First para / Second para.”'],
  ['"One\n\n"Two\n\n"Three," she said. "Four."', '“One / “Two / “Three,” she said. “Four.”'],
  ['"One\n\nTwo\n\nThree."', '“One / Two / Three.”'],
  ['An open "mark\n\nA 5" disk', 'An open "mark / A 5" disk'],
  ['"One\n\n- Two"', '"One<ul>\n<li>Two"</li>\n</ul>'],
])('a quotation over paragraphs: %j', async (typed, expected) => {
  expect((await set(typed)).replace(/\n<ul>/, '<ul>')).toBe(expected);
});

it('follows the language', async () => {
  expect(await set('..."Ende"... "x"--y\n\n"Eins\n\nZwei."', 'de')).toBe('…„Ende“… „x“–y / „Eins / Zwei.“');
  expect(await set('"Un\n\nDeux."', 'fr')).toBe('«\u00a0Un / Deux.\u00a0»');
});
