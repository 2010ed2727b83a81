import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commonEnds,
  compareAsBlocks,
  compareTexts,
  type DiffLine,
  type ShownLine,
} from '#app/posts/history/compare-texts.ts';

/** With all unchanged lines. */
const wholeDiff = (before: string, after: string) => compareTexts(before, after, Infinity).map(lineOf);

function lineOf(line: ShownLine): DiffLine {
  if ('hidden' in line) throw new Error('A line is hidden.');
  return line;
}

const textOf = (lines: DiffLine[], side: 'added' | 'removed') =>
  lines
    .filter(({ kind }) => kind === 'same' || kind === side)
    .map(({ parts }) =>
      parts
        .filter(({ kind }) => kind === 'same' || kind === side)
        .map(({ text }) => text)
        .join(''),
    )
    .join('\n');

describe('the difference of two texts', () => {
  it('is told by lines and, in a changed line, by words', () => {
    expect(compareTexts('One\nThe quick fox\nThree', 'One\nThe slow fox\nThree\nFour')).toEqual([
      { kind: 'same', parts: [{ kind: 'same', text: 'One' }] },
      {
        kind: 'removed',
        parts: [
          { kind: 'same', text: 'The ' },
          { kind: 'removed', text: 'quick' },
          { kind: 'same', text: ' fox' },
        ],
      },
      {
        kind: 'added',
        parts: [
          { kind: 'same', text: 'The ' },
          { kind: 'added', text: 'slow' },
          { kind: 'same', text: ' fox' },
        ],
      },
      { kind: 'same', parts: [{ kind: 'same', text: 'Three' }] },
      { kind: 'added', parts: [{ kind: 'added', text: 'Four' }] },
    ]);
  });

  it('knows words of scripts without spaces', () => {
    const [removed] = wholeDiff('我喜欢红色', '我喜欢蓝色');
    expect(
      removed!.parts
        .filter(({ kind }) => kind === 'same')
        .map(({ text }) => text)
        .join(''),
    ).toContain('我喜欢');
  });

  it('shows a line with nothing in common as replaced, and empty lines as lines', () => {
    expect(wholeDiff('alpha', 'omega').map(({ parts }) => parts.length)).toEqual([1, 1]);
    expect(wholeDiff('a\n\nb', 'a\n\n\nb').filter(({ kind }) => kind === 'added')).toEqual([
      { kind: 'added', parts: [] },
    ]);
    expect(compareTexts('', '')).toEqual([]);
  });

  it('holds both texts whole', () => {
    const text = fc
      .array(fc.constantFrom('a b', 'a c', '', 'dé f', '数据', '<b>&'))
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        // A line end at the very end is no line of its own.
        const bare = (value: string) => value.replace(/\n$/, '');
        if (bare(before) === bare(after)) return;
        const lines = wholeDiff(before, after);
        expect(textOf(lines, 'removed')).toBe(bare(before));
        expect(textOf(lines, 'added')).toBe(bare(after));
      }),
    );
  });

  it('leaves out unchanged lines away from a change', () => {
    const before = Array.from({ length: 20 }, (_, n) => `line ${n}`);
    const after = before.with(9, 'changed').join('\n');
    const lines = compareTexts(before.join('\n'), after);
    expect(lines.map((line) => ('hidden' in line ? line.hidden : line.kind))).toEqual([
      7,
      ...['same', 'same', 'removed', 'added', 'same', 'same'],
      8,
    ]);
    expect(compareTexts('a\nb', 'a\nb')).toEqual([{ hidden: 2 }]);
  });

  it.each([20_000, 100_000])('of two foreign texts of %i lines is given up in time', (count) => {
    const long = (letter: string) => Array.from({ length: count }, (_, n) => `${letter} ${n}\n`).join('');
    const started = process.cpuUsage();
    const [before, after] = [`same\n${long('a')}end`, `same\n${long('b')}end`];
    expect(compareTexts(before, after)).toEqual([
      { hidden: 1 },
      { kind: 'removed', parts: [{ kind: 'removed', text: long('a').trimEnd() }] },
      { kind: 'added', parts: [{ kind: 'added', text: long('b').trimEnd() }] },
      { hidden: 1 },
    ]);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });

  it('of texts with 300,000 equal lines around a change is found', () => {
    const lines = Array.from({ length: 300_000 }, (_, n) => `line ${n}`);
    const changed = compareTexts(lines.join('\n'), lines.with(150_000, 'other').join('\n'));
    expect(changed).toHaveLength(8);
  });

  it.each([
    ['', 'a'],
    ['a', ''],
    ['\na', 'x\na'],
    ['a\nb', 'z\na\nb'],
    ['a\na', 'a\na\na'],
    ['xa\nb', 'a\nb'],
    ['a', 'a\nb'],
  ])('of %j and %j in blocks begins and ends with the lines that both have', (before, after) => {
    const { start, end } = commonEnds(before, after);
    expect(before.slice(0, start)).toBe(after.slice(0, start));
    expect(before.slice(before.length - end)).toBe(after.slice(after.length - end));
    expect(start + end).toBeLessThanOrEqual(Math.min(before.length, after.length));
    expect(compareAsBlocks(before, after).some((line) => !('hidden' in line))).toBe(true);
  });
});
