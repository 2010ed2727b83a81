import { defaultKeymap } from '@codemirror/commands';
import { EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';
import { expect, it } from 'vitest';
import { pageMarkdown } from '#app/admin/editor/live/base/page-markdown.ts';
import { softBreaks } from '#app/admin/editor/live/blocks/inline-parts.ts';
import { caretPlaces } from '#app/admin/editor/live/caret.ts';
import { deleteKeys, beginParagraph, paragraphKeys } from '#app/admin/editor/live/paragraph-keys.ts';
import { keepMarks, wrap } from '#app/admin/editor/live/marks.ts';
import { markdownToHtml } from '#app/posts/markdown/parser.ts';
import { paragraphs } from '#tests/support/demo-content.ts';

/** What readers see: the words, and the marks in their order. A word on an empty line is a paragraph more. */
function readAs(markdown: string): { words: string; marks: string } {
  const html = markdownToHtml(markdown)!;
  const marks = [...html.matchAll(/<(?!\/?p\b)[^>]+>/g)].map(([tag]) => tag);
  return { words: html.replace(/<[^>]+>/g, '').replace(/\s+/g, ''), marks: marks.join('') };
}

const open = (doc: string) =>
  EditorState.create({
    doc,
    extensions: [
      pageMarkdown.extension,
      softBreaks,
      caretPlaces,
      keepMarks,
      deleteKeys,
      paragraphKeys,
      keymap.of([{ key: 'Enter', run: beginParagraph }, ...defaultKeymap]),
    ],
  });

/** The state after letters are typed, one after the other. */
function typeInto(state: EditorState, words: string): EditorState {
  for (const letter of words) {
    const { main } = state.selection;
    const change = { from: main.from, to: main.to, insert: letter };
    state = state.update({
      changes: change,
      selection: { anchor: main.from + 1 },
      userEvent: 'input.type',
    }).state;
  }
  return state;
}

const texts = [
  'Read the [full report](https://example.org/a_(b)?c=1 "Title"), then rest.',
  'At the end: [the whole](<https://example.org/x y>)',
  '**Note:** a _few_ words, **bold *and* slanted** and ***both***, ~~gone~~, `code`.',
  '_All of the line_',
  'A [**bold** link](/posts/a)**so!** and [`code`][label], [a][] and [a].\n\n[label]: /l\n\n[a]: /a',
  'A footnote[^1].\n\n[^1]: The **note** with a [link](/e)',
  'Soft wrapped\nlines of *one\nparagraph*, and\\\na hard break  \nor two.',
  'A picture ![alt words](/favicon.svg "Caption") in it, \\*escaped\\*, <https://example.org/>.',
  '![alone](/favicon.svg){.wide}',
  '## A *heading* with [link](/b)',
  '- first **item**\n- second [item](/c)\n  goes on\n- [ ] a _task_',
  '1. **one**\n2. two',
  '> A quoted **word**\n> and [link](/d)',
  'a **b** _c_\n\n~~d~~ [e](/f)\n\ng',
  ...paragraphs.map((paragraph) => paragraph.slice(0, 200)),
];

/** Where the caret may be by a click or by a key that comes from either side. */
function placesOf(doc: string): { state: EditorState; how: string }[] {
  const start = open(doc);
  const places: { state: EditorState; how: string }[] = [];
  for (let at = 0; at <= doc.length; at += 1) {
    const click = start.update({ selection: { anchor: at }, userEvent: 'select.pointer' }).state;
    places.push({ state: click, how: `click ${at}` });
    for (const step of [-1, 1]) {
      const next = click.selection.main.head + step;
      if (next < 0 || next > doc.length) continue;
      const moved = click.update({ selection: { anchor: next }, userEvent: 'select' }).state;
      places.push({ state: moved, how: `key from ${click.selection.main.head} to ${next}` });
    }
  }
  // The definition of an address is no text of the page.
  const isText = ({ doc, selection }: EditorState) =>
    !/^\[[^^\]]+\]:/.test(doc.lineAt(selection.main.head).text);
  return places.filter(({ state }) => isText(state));
}

it.each(texts)('a word typed at any place of %j leaves all marks as they are', (doc) => {
  const before = readAs(doc);
  const broken: string[] = [];
  for (const { state, how } of placesOf(doc))
    for (const words of ['Q', ' Q', 'Q ', '.Q', ' Q Q.']) {
      const typed = typeInto(state, words).sliceDoc();
      const after = readAs(typed);
      const seen = words.replaceAll(' ', '');
      const isSame = after.marks === before.marks && after.words.replace(seen, '') === before.words;
      if (!isSame) broken.push(`${how}, “${words}”: ${typed}`);
    }
  expect(broken).toEqual([]);
});

it.each(texts)('the arrows come to every place of %j, and in both directions', (doc) => {
  for (const step of [1, -1]) {
    let state = open(doc).update({ selection: { anchor: step > 0 ? 0 : doc.length } }).state;
    const places: number[] = [];
    for (let at = state.selection.main.head; !places.includes(at); at = state.selection.main.head) {
      places.push(at);
      const next = Math.min(doc.length, Math.max(0, at + step));
      state = state.update({ selection: { anchor: next }, userEvent: 'select' }).state;
    }
    expect(places.length).toBeGreaterThan(1);
    expect(places.toSorted((a, b) => (a - b) * step)).toEqual(places);
  }
});

/** What commands need of a view, without a browser. */
function viewOf(state: EditorState): EditorView & { state: EditorState } {
  const view = {
    state,
    focus() {},
    dispatch(spec: TransactionSpec | Transaction) {
      view.state = spec instanceof Transaction ? spec.state : view.state.update(spec).state;
    },
  } as EditorView & { state: EditorState };
  return view;
}

/** Presses a key as the editor does. */
function press(state: EditorState, key: string): EditorState {
  const view = viewOf(state);
  for (const { key: bound, run } of state.facet(keymap).flat()) if (bound === key && run?.(view)) break;
  return view.state;
}

/** True if the letters of a text are in another one, in their order. */
function isWithin(part: string, all: string): boolean {
  let at = 0;
  for (const letter of all) if (letter === part[at]) at += 1;
  return at === part.length;
}

const ofOneBlock = texts.filter((doc) => !/^[>\d[-]|\]: /m.test(doc));

it.each(ofOneBlock)('Enter, Backspace and Delete leave no mark of %j behind', (doc) => {
  const { words } = readAs(doc);
  const broken: string[] = [];
  for (const { state, how } of placesOf(doc))
    for (const key of ['Enter', 'Backspace', 'Delete']) {
      const text = press(state, key).sliceDoc();
      const after = readAs(text).words;
      if (key === 'Enter' ? after !== words : !isWithin(after, words)) broken.push(`${how}, ${key}: ${text}`);
    }
  expect(broken).toEqual([]);
});

it('bold goes on behind a space, until its key ends it', () => {
  const view = viewOf(open(''));
  wrap(view, '**');
  expect(typeInto(view.state, 'two words').sliceDoc()).toBe('**two words**');
  view.state = typeInto(view.state, 'two ');
  expect(view.state.sliceDoc()).toBe('**two** ');
  wrap(view, '**');
  expect(typeInto(view.state, 'and').sliceDoc()).toBe('**two** and');
});
