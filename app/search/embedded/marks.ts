import { tokenizable } from '../words.ts';
import type { SearchDocument } from '../engine.ts';

/**
 * Words of the index that nobody can type: they begin with a character for private use. Each has a list of its own, so
 * that posts of a tag, or with a word in the title, are found without passing over all that have the word elsewhere.
 */
const marks = { category: '\ue000', tag: '\ue001', title: '\ue002' } as const;

const MARK = /^[\ue000-\ue002]/;

/** True for a word of the index that is none of a text. */
export function isMark(word: string): boolean {
  return MARK.test(word);
}

/** The mark of a document's category, one of its tags or a folded word of its title. */
export function markOf(kind: keyof typeof marks, value: string): string {
  // Of an id only letters and digits: a hyphen would end the word.
  return marks[kind] + (kind === 'title' ? value : value.replace(/[^\da-z]/gi, ''));
}

/** All marks of a document, as the text of their column. */
export function marksOf({ categoryId, tagIds, title }: SearchDocument): string {
  // As the index's tokenizer splits it: letters and digits, dots, and everything beyond ASCII.
  const words = tokenizable(title).match(/[\da-z.\x80-\u{10ffff}]+/giu) ?? [];
  return [
    ...(categoryId === '' ? [] : [markOf('category', categoryId)]),
    ...tagIds.map((id) => markOf('tag', id)),
    ...words.map((word) => markOf('title', word)),
  ].join(' ');
}
