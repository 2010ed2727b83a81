import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAsWhole, comparePassages, mergeTexts } from '#app/posts/history/compare-passages.ts';
import { isChanged, joinPassages, takes, type Passage, type Take } from '#app/posts/history/passages.ts';

const changedIn = (passages: Passage[]) => passages.filter(isChanged);
const withAll = (passages: Passage[], take: Take) =>
  joinPassages(
    passages,
    changedIn(passages).map(() => take),
  );

describe('two versions and their original, paragraph by paragraph', () => {
  it('have both changes when they are in different paragraphs', () => {
    const passages = comparePassages(
      'One.\n\nTwo.\n\nThree.',
      'One!\n\nTwo.\n\nThree.',
      'One.\n\nTwo.\n\nThree!',
    );
    expect(changedIn(passages)).toMatchObject([
      { base: 'One.', mine: 'One!', theirs: 'One.', both: null, take: 'mine' },
      { base: 'Three.', mine: 'Three.', theirs: 'Three!', both: null, take: 'theirs' },
    ]);
    expect(joinPassages(passages)).toBe('One!\n\nTwo.\n\nThree!');
  });

  it('have both changes when they are in different lines of one paragraph, with a line between them', () => {
    const [base, mine, theirs] = ['- a\n- b\n- c', '- A\n- b\n- c', '- a\n- b\n- C'] as const;
    expect(changedIn(comparePassages(base, mine, theirs))).toMatchObject([
      { base, mine, theirs, both: '- A\n- b\n- C', take: 'both' },
    ]);
  });

  it('collide in a paragraph that both have changed: mine is proposed, and all three can be taken', () => {
    const passages = comparePassages('One.\n\nTwo.', 'One by me.\n\nTwo.', 'One by them.\n\nTwo.');
    expect(changedIn(passages)).toMatchObject([
      {
        base: 'One.',
        mine: 'One by me.',
        theirs: 'One by them.',
        both: null,
        take: 'mine',
        changes: { mine: [{ kind: 'removed' }, { kind: 'added' }], theirs: [{}, {}] },
      },
    ]);
    expect(withAll(passages, 'theirs')).toBe('One by them.\n\nTwo.');
    expect(withAll(passages, 'base')).toBe('One.\n\nTwo.');
  });

  it('know a paragraph that one has deleted and the other has changed', () => {
    const passages = comparePassages('One.\n\nTwo.\n\nThree.', 'One.\n\nThree.', 'One.\n\nTwo!\n\nThree.');
    expect(joinPassages(passages)).toBe('One.\n\nThree.');
    expect(changedIn(passages)).toHaveLength(1);
    expect(withAll(passages, 'theirs')).toBe('One.\n\nTwo!\n\nThree.');
  });

  it('count an equal change of both as no difference', () => {
    expect(comparePassages('One.', 'One!', 'One!')).toEqual([{ text: 'One!' }]);
  });

  it('without the original are compared with each other, and mine is proposed', () => {
    const passages = comparePassages(null, 'One by me.\n\nTwo.', 'One.\n\nTwo.');
    expect(changedIn(passages)).toMatchObject([
      { base: null, mine: 'One by me.', theirs: 'One.', take: 'mine' },
    ]);
    expect(joinPassages(passages)).toBe('One by me.\n\nTwo.');
  });

  it('can be taken as a whole, in every combination of changes', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '  ', 'd\n\n\ne', '- x\n- y\n- z', '- x\n- y\n- Z'), {
        maxLength: 6,
      })
      .map((paragraphs) => paragraphs.join('\n\n'));
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        for (const compare of [comparePassages, compareAsWhole]) {
          const passages = compare(base, mine, theirs);
          expect(withAll(passages, 'mine')).toBe(mine);
          // Equal changes of both are no choice.
          const isPlain = !passages.some((passage) => !isChanged(passage) && !base.includes(passage.text));
          if (isPlain) expect(withAll(passages, 'theirs')).toBe(theirs);
          expect(withAll(compare(null, mine, theirs), 'theirs')).toBe(theirs);
        }
        expect(mergeTexts(base, mine, base)).toBe(mine);
        expect(mergeTexts(base, base, theirs)).toBe(theirs);
        expect(mergeTexts(base, mine, mine)).toBe(mine);
      }),
    );
  });

  it('that differ in more paragraphs than anybody chooses from are one passage', () => {
    const text = (word: string) =>
      Array.from({ length: 150 }, (_, n) => `${n} ${word}`).join('\n\nbetween\n\n');
    const passages = comparePassages(text('old'), text('mine'), text('theirs'));
    expect(changedIn(passages)).toHaveLength(1);
    for (const take of takes)
      if (take !== 'both')
        expect(withAll(passages, take)).toBe(
          { mine: text('mine'), theirs: text('theirs'), base: text('old') }[take],
        );
  });

  it.each([
    ['30,000 lines', '\n'],
    ['30,000 paragraphs', '\n\n'],
  ])('of %s are compared in time', (_, separator) => {
    const text = (word: string) => Array.from({ length: 30_000 }, (_, n) => `${word} ${n}`).join(separator);
    const before = process.cpuUsage();
    const passages = comparePassages(text('old'), text('mine'), text('theirs'));
    expect(joinPassages(passages)).toBe(text('mine'));
    expect(mergeTexts(text('old'), text('mine'), text('theirs'))).toBeNull();
    expect(process.cpuUsage(before).user).toBeLessThan(4_000_000);
  });
});
