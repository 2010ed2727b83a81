import type { MatchedWords } from '../engine.ts';
import { markOf } from './marks.ts';
import type { QueryTerm } from '../words.ts';

/** A term of a query to the index. */
export interface PlannedTerm {
  /** Folded words, side by side. */
  words: string[];
  /** The last of the words is still being typed: words that begin with it match too, and rank lower. */
  prefix: boolean;
}

/** The plan of the first query: every term as typed, the last one also as the beginning of words. */
export function planTerms(terms: QueryTerm[]): PlannedTerm[] {
  return terms.map(({ words, spaceless }, index) => {
    const length = [...words.at(-1)!].length;
    // One letter is the beginning of half of the index. One character of a script without spaces is half a pair.
    const mayGrow = spaceless ? length === 1 : length > 1 && index === terms.length - 1;
    return { words, prefix: mayGrow };
  });
}

/** An FTS5 expression. Words contain only letters, digits and dots, and are in quotes: nothing typed is an operator. */
export function matchExpression(plan: PlannedTerm[], operator: 'AND' | 'OR'): string {
  return plan.map(termExpression).join(` ${operator} `);
}

function termExpression({ words, prefix }: PlannedTerm): string {
  const phrase = `"${words.join(' ')}"`;
  // A whole word counts twice, so it ranks before longer ones.
  return prefix ? `(${phrase} OR ${phrase} *)` : phrase;
}

/** As `matchExpression`, for words in the title. */
export function titleExpression(plan: PlannedTerm[], operator: 'AND' | 'OR'): string {
  const inTitle = ({ words, prefix }: PlannedTerm) =>
    words.map((word, index) => {
      const isTyped = prefix && index === words.length - 1;
      return `"${markOf('title', word)}"${isTyped ? ' *' : ''}`;
    });
  return plan.map((term) => `(${inTitle(term).join(' AND ')})`).join(` ${operator} `);
}

/** The words to mark in the texts of the hits. */
export function matchedWords(plan: PlannedTerm[]): MatchedWords {
  const growing = plan.filter(({ prefix }) => prefix).map(({ words }) => words.at(-1)!);
  return { words: [...new Set(plan.flatMap(({ words }) => words))], prefixes: growing };
}
