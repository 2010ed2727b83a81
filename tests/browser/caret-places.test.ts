// Wherever a key or a click puts the caret, what is typed there is a visible word of the page, and all marks stay whole.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markdownToHtml } from '#app/posts/markdown/parser.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { page } = here;
beforeEach(() => {
  ({ page } = here);
});

/** The field that the form would send, without the pause after which the editor fills it. */
const textNow = () =>
  page.evaluate(() =>
    new FormData(document.querySelector<HTMLFormElement>('form:has(.cm-content)')!).get('body'),
  );

/** What readers see: the words, and the marks in their order. Paragraphs may be more, for a word on an empty line. */
function readAs(markdown: string): { words: string; marks: string[] } {
  const html = markdownToHtml(markdown)!.replace(/<a[^>]*data-footnote-backref[^]*?<\/a>/g, '');
  const marks = [...html.matchAll(/<(?!\/?(?:p|br)\b)[^>]+>/g)].map(([tag]) => tag);
  const breaks = html.split('<br').length;
  return { words: html.replace(/<[^>]+>/g, '').replace(/\s+/g, ''), marks: [...marks, `${breaks} breaks`] };
}

/** Where something broke: the text that came out. */
const broken: string[] = [];
afterEach(() => expect(broken.splice(0)).toEqual([]));

/** Types at the caret, compares what readers would see, and undoes it. */
async function typeHere(body: string, at: string, words: string): Promise<void> {
  await type(words);
  const typed = (await textNow()) as string;
  const [before, after] = [readAs(body), readAs(typed)];
  const word = words.trim();
  const isKept = String(after.marks) === String(before.marks) && after.words.split(word).length === 2;
  if (!isKept || after.words.replace(word, '') !== before.words)
    broken.push(`${at}: ${typed.split('\n').find((line) => line.includes(word))}`);
  for (let undone = 0; (await textNow()) !== body && undone < 5; undone += 1) await press('Control+z');
  if ((await textNow()) !== body) throw new Error(`${at} is not undone: ${String(await textNow())}`);
}

const marked = [
  'See the [full report](https://example.org/a "Title")',
  '**Note:** _few_ ***both*** `code`',
  'A note[^1], [**bold** link](/b)',
  'Soft *wrapped\nlines* and\\\na hard break',
  'A ![picture](/favicon.svg) \\*escaped\\*',
];
const blocks = [
  '## A *heading*',
  '- first **item**\n- second [item](/c)\n  goes on\n- [ ] a _task_',
  '> A quoted **word**\n> and [link](/d)',
  '[^1]: The **note** with a [link](/e)',
];
const body = [...marked, ...blocks].join('\n\n');

it('no arrow leads into something hidden', async () => {
  await openEditor(body);
  await goTo('Home');
  // Arrows skip what is hidden, so there are fewer places than characters.
  const steps = marked.join('\n\n').length - 60;
  for (let step = 0; step < steps; step += 1) {
    await typeHere(body, `${step} times right`, step % 2 === 0 ? 'Q' : ' Q');
    await press('ArrowRight');
  }
  for (let step = 0; step < 40; step += 1) {
    await press('ArrowLeft');
    await typeHere(body, `${step} times left`, 'Q');
  }
}, 600_000);

it('nor do Home, End, words, lines and pages', async () => {
  await openEditor(body);
  await goTo('Home');
  for (let line = 0; line < 24; line += 1)
    for (const key of ['Home', 'End', 'Control+ArrowLeft', 'Control+ArrowRight', 'ArrowDown']) {
      await press(key);
      await typeHere(body, `line ${line}, ${key}`, line % 2 === 0 ? 'Q' : ' Q');
    }
  for (const key of ['Control+Home', 'PageDown', 'End', 'PageUp', 'Control+End', 'ArrowUp']) {
    await press(key);
    await typeHere(body, key, ' Q');
  }
}, 600_000);

it('nor does a click', async () => {
  await openEditor(body);
  const lines = page.locator('.cm-line');
  for (let line = 0; line < (await lines.count()); line += 1)
    // Not at the very edge, where the handle of the block is.
    for (const part of [0.005, 0.1, 0.23, 0.5, 0.99]) {
      // Marks are hidden again, as before a first click.
      await page.locator('[name=title]').focus();
      await lines.nth(line).scrollIntoViewIfNeeded();
      const box = await lines.nth(line).boundingBox();
      if (!box) continue;
      const [x, y] = [box.x + box.width * part, box.y + Math.min(box.height, 30) / 2];
      // A click on the box of a task ticks it.
      if (await page.evaluate(([x, y]) => document.elementFromPoint(x!, y!)!.matches('.md-task'), [x, y]))
        continue;
      await page.mouse.click(x, y);
      const isText = await page.evaluate(() => document.activeElement!.matches('.cm-content'));
      if (isText) await typeHere(body, `line ${line} at ${part}`, ' Q');
    }
}, 600_000);
