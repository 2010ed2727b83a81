// Moving blocks: what is not moved keeps its bytes, and nothing melts into its new neighbour.
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { pageMarkdown } from '#app/admin/editor/live/base/page-markdown.ts';
import {
  blockAt,
  deleteBlock,
  duplicateBlock,
  kindOf,
  moveBlock,
  placeOf,
  toCallout,
  toText,
} from '#app/admin/editor/live/handles/blocks.ts';

const open = (doc: string) => EditorState.create({ doc, extensions: [pageMarkdown.extension] });

/** The text after a change of the block that contains some words. */
function change(
  doc: string,
  words: string,
  make: (state: EditorState, place: NonNullable<ReturnType<typeof placeOf>>) => TransactionSpec | null,
): string | null {
  const state = open(doc);
  const spec = make(state, placeOf(state, doc.indexOf(words))!);
  return spec && state.update(spec).state.sliceDoc();
}

const moved = (doc: string, words: string, step: 1 | -1) =>
  change(doc, words, (state, place) => moveBlock(state, place, step > 0 ? place.at + 2 : place.at - 1));

const text = 'One  \nline.\n\n\n\n## Two\nThree.\n\n~~~js\na\n\nb\n~~~\n\n| a |\n| - |\n| 1 |\n';

describe('a move', () => {
  it('changes places with the neighbour, and the lines between stay where they were', () => {
    expect(moved(text, 'One', 1)).toBe(
      text.replace('One  \nline.\n\n\n\n## Two\n', '## Two\n\n\n\nOne  \nline.\n\n'),
    );
    expect(moved(text, '| 1', -1)).toBe(
      text.replace('~~~js\na\n\nb\n~~~\n\n| a |\n| - |\n| 1 |', '| a |\n| - |\n| 1 |\n\n~~~js\na\n\nb\n~~~'),
    );
  });

  it('there and back gives the same text where empty lines part the blocks', () => {
    const doc = 'a\n\nb\n\n\nc\n';
    expect(moved(moved(doc, 'b', 1)!, 'b', -1)).toBe(doc);
  });

  it('parts blocks that only a line feed parted', () => {
    expect(moved('Text.\n\n## Two\nThree.\n\nFour.\n', 'Three', 1)).toBe(
      'Text.\n\n## Two\n\nFour.\n\nThree.\n',
    );
    expect(moved('a\n\n## b\nc', 'c', -1)).toBe('a\n\nc\n\n## b');
  });

  it('stops at the ends', () => {
    expect(moved(text, 'One', -1)).toBeNull();
    expect(moved(text, '| 1', 1)).toBeNull();
  });

  it('moves an item with all that is below it, within its list, and the numbers stay', () => {
    const list = 'Before\n\n1. one\n2. two\n   - nested\n3. three\n\nAfter\n';
    expect(moved(list, 'two', 1)).toBe('Before\n\n1. one\n2. three\n3. two\n   - nested\n\nAfter\n');
    expect(moved(list, 'three', 1)).toBeNull();
  });

  it('to any gap, with the caret in the block', () => {
    const state = open('a\n\nb\n\nccc\n');
    const place = placeOf(state, 6)!;
    const after = state.update(moveBlock(state.update({ selection: { anchor: 8 } }).state, place, 0)!).state;
    expect(after.sliceDoc()).toBe('ccc\n\na\n\nb\n');
    expect(after.selection.main.head).toBe(2);
  });
});

it('an empty line is no block, but one within code is', () => {
  const state = open(text);
  expect(blockAt(state, text.indexOf('\n\n\n') + 2)).toBeNull();
  expect(blockAt(state, text.indexOf('a\n\nb') + 2)).toMatchObject({ name: 'FencedCode' });
});

it('a copy stands behind its block', () => {
  const copied = (words: string) =>
    change(text, words, (state, { blocks, at }) => duplicateBlock(state, blocks[at]!));
  expect(copied('One')).toBe(text.replace('line.', 'line.\n\nOne  \nline.'));
  expect(change('- a\n- b\n', 'a', (state, { blocks, at }) => duplicateBlock(state, blocks[at]!))).toBe(
    '- a\n- a\n- b\n',
  );
});

it('a deleted block takes the empty lines behind it along, and the last one those before it', () => {
  expect(change(text, 'Two', deleteBlock)).toBe(text.replace('## Two\n', ''));
  expect(change('a\n\nb\n\nc', 'b', deleteBlock)).toBe('a\n\nc');
  expect(change('a\n\nb\n\nc', 'c', deleteBlock)).toBe('a\n\nb');
  expect(change('a', 'a', deleteBlock)).toBe('');
});

describe('turning into', () => {
  const turned = (doc: string, words: string, make: typeof toText) =>
    change(doc, words, (state, { blocks, at }) => ({ changes: make(state, blocks[at]!) }));

  it.each([
    ['## Two', 'Two'],
    ['> a\n> b', 'a\nb'],
    ['> [!TIP]\n> a', 'a'],
    ['> [!TIP] Title\n> a', 'Title\na'],
    ['- a', 'a'],
  ])('text from %j', (before, after) => expect(turned(before, before.at(-1)!, toText)).toBe(after));

  it.each([
    ['a\nb', '> [!NOTE]\n> a\n> b'],
    ['> a', '> [!NOTE]\n> a'],
    ['## a', '> [!NOTE]\n> a'],
  ])('a call-out from %j', (before, after) => expect(turned(before, 'a', toCallout)).toBe(after));

  it.each([
    ['a', 'text'],
    ['# a', 'heading2'],
    ['### a', 'heading3'],
    ['- [ ] a', 'tasks'],
    ['2. a', 'numbers'],
    ['* a', 'list'],
    ['> a', 'quote'],
    ['> [!NOTE]\n> a', 'callout'],
    ['![a](b.jpg)', null],
    ['~~~\na\n~~~', null],
  ])('%j is %s', (doc, kind) => {
    const state = open(doc);
    expect(kindOf(state, blockAt(state, doc.indexOf('a'))!)).toBe(kind);
  });
});
