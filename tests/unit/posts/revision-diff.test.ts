import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPostFields } from '#app/posts/field-values.ts';
import { diffFields, diffText, type DiffLine } from '#app/posts/revision-diff.ts';
import { readRevisionFields, readStoredFields, storeFields } from '#app/posts/revision.ts';

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
    expect(diffText('One\nThe quick fox\nThree', 'One\nThe slow fox\nThree\nFour')).toEqual([
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
    const [removed] = diffText('我喜欢红色', '我喜欢蓝色');
    expect(
      removed!.parts
        .filter(({ kind }) => kind === 'same')
        .map(({ text }) => text)
        .join(''),
    ).toContain('我喜欢');
  });

  it('shows a line with nothing in common as replaced, and empty lines as lines', () => {
    expect(diffText('alpha', 'omega').map(({ parts }) => parts.length)).toEqual([1, 1]);
    expect(diffText('a\n\nb', 'a\n\n\nb').filter(({ kind }) => kind === 'added')).toEqual([
      { kind: 'added', parts: [] },
    ]);
    expect(diffText('', '')).toEqual([]);
  });

  it('holds both texts whole', () => {
    const text = fc
      .array(fc.constantFrom('a b', 'a c', '', 'dé f', '数据', '<b>&'))
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffText(before, after);
        // A line end at the very end is no line of its own.
        const bare = (value: string) => value.replace(/\n$/, '');
        expect(textOf(lines, 'removed')).toBe(bare(before));
        expect(textOf(lines, 'added')).toBe(bare(after));
      }),
    );
  });

  it('of two long foreign texts is given up in time', () => {
    const long = (letter: string) => Array.from({ length: 20_000 }, (_, n) => `${letter} ${n}`).join('\n');
    const started = process.cpuUsage();
    expect(diffText(long('a'), long('b')).length).toBe(40_000);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

describe('the difference of two revisions', () => {
  it('names the fields that changed, each in its own way', () => {
    const before = { ...emptyPostFields, title: 'A', tags: ['x', 'y'], categoryId: 'c', excerpt: 'same' };
    const after = { ...before, title: 'B', tags: ['y', 'z'], categoryId: null, publishedAt: new Date(0) };
    expect(diffFields(before, after)).toMatchObject([
      { field: 'title', kind: 'text' },
      { field: 'categoryId', kind: 'value', before: 'c', after: null },
      { field: 'tags', kind: 'list', added: ['z'], removed: ['x'] },
      { field: 'publishedAt', kind: 'value', before: null, after: new Date(0) },
    ]);
    expect(diffFields(before, { ...before, tags: [...before.tags] })).toEqual([]);
  });
});

describe('stored fields', () => {
  it('come back as they were, dates as dates', () => {
    const fields = { ...emptyPostFields, title: 'T', tags: ['a'], publishedAt: new Date(1000) };
    expect(readRevisionFields(storeFields(fields))).toEqual(fields);
    expect(readStoredFields(storeFields({ title: 'T' }))).toEqual({ title: 'T' });
    expect(readRevisionFields('{"title":"Old","gone":1}')).toEqual({ ...emptyPostFields, title: 'Old' });
  });
});
