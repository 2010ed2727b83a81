import type { ShownLine } from './compare-texts.ts';

/** The versions of a changed passage that the result can have. */
export const takes = ['mine', 'theirs', 'base', 'both'] as const;

export type Take = (typeof takes)[number];

/** One or more paragraphs that differ between two versions of a text. */
export interface ChangedPassage {
  /** What both versions were made from; null when that is no longer kept. */
  base: string | null;
  mine: string;
  theirs: string;
  /** With the changes of both versions; null when only one has changes, or they are in the same lines. */
  both: string | null;
  /** The version that loses no change, or mine where each would lose one. */
  take: Take;
  /** What each version changed; without `base`, what mine has instead of theirs. */
  changes: { mine: ShownLine[]; theirs: ShownLine[] };
}

/** A part of a text, in the order of the text: the same in both versions, or changed. */
export type Passage = { text: string } | ChangedPassage;

export function isChanged(passage: Passage): passage is ChangedPassage {
  return 'mine' in passage;
}

/** True if each version has changes of the passage that the other lacks, and no text has both. */
export function collides({ base, mine, theirs, both }: ChangedPassage): boolean {
  return both === null && mine !== base && theirs !== base;
}

/** The text with the chosen versions. @param chosen one for each changed passage; default: those that lose no change */
export function joinPassages(passages: readonly Passage[], chosen: readonly Take[] = []): string {
  let number = 0;
  return passages
    .map((passage) => {
      if (!isChanged(passage)) return passage.text;
      const take = chosen[number] ?? passage.take;
      number += 1;
      return passage[take] ?? passage.mine;
    })
    .join('');
}
