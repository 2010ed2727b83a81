// The merge of a live fix into a text that waits for its time.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { mergeParagraphs } from '#app/posts/history/merge-paragraphs.ts';

const merge = (base: string, ours: string, theirs: string) => mergeParagraphs(base, ours, theirs);
const merged = (text: string) => ({ text, hasConflict: false });

describe('both changes are in the result', () => {
  test.each([
    ['neighbouring paragraphs', 'A\n\nB', 'A\n\nB2', 'A1\n\nB', 'A1\n\nB2'],
    ['one that was added', 'A\n\nB', 'A\n\nB\n\nC', 'A1\n\nB', 'A1\n\nB\n\nC'],
    ['one that was removed', 'A\n\nB\n\nC', 'A\n\nC', 'A\n\nB\n\nC!', 'A\n\nC!'],
    ['added at both ends', 'A', 'Z\n\nA', 'A\n\nB', 'Z\n\nA\n\nB'],
    [
      'repeated paragraphs',
      '---\n\nA\n\n---\n\nB',
      '---\n\nA2\n\n---\n\nB',
      '---\n\nA\n\n---\n\nB2',
      '---\n\nA2\n\n---\n\nB2',
    ],
    ['the same fix', 'teh\n\nB', 'the\n\nB2', 'the\n\nB', 'the\n\nB2'],
    ['a moved paragraph', 'A\n\nB\n\nC\n\nD', 'B\n\nC\n\nA\n\nD', 'A\n\nB\n\nC\n\nD!', 'B\n\nC\n\nA\n\nD!'],
    ['line ends of a form', 'A\n\nB\nb', 'A\r\n\r\nB\r\nb', 'A1\n\nB\nb', 'A1\r\n\r\nB\r\nb'],
    ['bytes that nobody touched', 'A\n\n\nB\n', '\nA\n\n\n\nB2\n\n', 'A1\n\n\nB\n', '\nA1\n\n\n\nB2\n\n'],
  ])('%s', (_name, base, ours, theirs, text) => expect(merge(base, ours, theirs)).toEqual(merged(text)));
});

it('one paragraph that both changed, and two that both added at one place, are a conflict', () => {
  expect(merge('A\n\nB', 'A1\n\nB1', 'A2\n\nB')).toEqual({ text: 'A1\n\nB1', hasConflict: true });
  expect(merge('A', 'A\n\nB', 'A\n\nC')).toMatchObject({ hasConflict: true });
  expect(merge('A', '', 'A1')).toMatchObject({ hasConflict: true });
});

it('a side that changed nothing gets the other one', () => {
  const paragraphs = fc.array(fc.constantFrom('A', 'B', 'C', 'D', '---', 'A\nb'), { maxLength: 8 });
  const text = paragraphs.map((parts) => parts.join('\n\n'));
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(merge(base, base, other)).toEqual(merged(other));
      expect(merge(base, other, base)).toEqual(merged(other));
      expect(merge(base, other, other)).toEqual(merged(other));
    }),
  );
});

it('without a conflict, no paragraph that either side wrote is lost', () => {
  const edits = fc.array(fc.constantFrom('keep', 'change', 'add', 'remove'), { minLength: 6, maxLength: 6 });
  const apply = (plan: string[], mark: string) =>
    plan.flatMap((edit, index) => {
      if (edit === 'remove') return [];
      const own = edit === 'change' ? `p${index}${mark}` : `p${index}`;
      return edit === 'add' ? [own, `new${index}${mark}`] : [own];
    });
  fc.assert(
    fc.property(edits, edits, (mine, theirs) => {
      const base = apply(['keep', 'keep', 'keep', 'keep', 'keep', 'keep'], '').join('\n\n');
      const [ours, other] = [apply(mine, 'm'), apply(theirs, 't')];
      const result = merge(base, ours.join('\n\n'), other.join('\n\n'));
      if (result.hasConflict) return;
      const written = [...ours, ...other].filter((text) => /[mt]$/.test(text));
      for (const text of written) expect(result.text.split('\n\n')).toContain(text);
    }),
  );
});

/** Milliseconds of processor time. */
function costOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

test.each([
  ['equal paragraphs', (size: number) => 'a\n\n'.repeat(size)],
  ['different ones', (size: number) => Array.from({ length: size }, (_, index) => index).join('\n\n')],
  ['spaces', (size: number) => `\n${' '.repeat(3 * size)}x`],
  ['line ends', (size: number) => `x${'\n'.repeat(3 * size)}y`],
])('its cost grows with the text: %s', (_name, textOf) => {
  const cost = (size: number) => {
    const text = textOf(size);
    const reversed = text.split('\n\n').reverse().join('\n\n');
    return costOf(() => void merge(text, `x\n\n${text}`, reversed));
  };
  cost(20_000);
  // Twice the text; a square would be four times.
  const least = (size: number) => Math.min(...Array.from({ length: 3 }, () => cost(size)));
  expect(least(80_000)).toBeLessThan(3 * Math.max(5, least(40_000)));
});
