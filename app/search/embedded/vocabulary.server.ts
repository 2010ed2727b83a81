import type BetterSqlite3 from 'better-sqlite3';
import { yieldAfterLongWork } from '#app/platform/jobs/event-loop.server.ts';
import { INDEX_NAME } from '#app/search/engine.ts';
import { allowedTypos, typosBetween } from '#app/search/words.ts';
import { isSameTableSet, tableSetOf, type TableSet } from './tables.server.ts';

const PAGE = 5_000;
// Words that are compared, in about a millisecond, before the time is read again.
const WORDS_PER_TURN = 4_000;
// The number of nearest words whose frequency is read.
const CANDIDATES_MAX = 12;

/**
 * Every word of the index in memory, by length, to correct words that the index does not have. The table only grows, so
 * each use reads only the words added since. A rebuilt index is read from the start.
 */
export class Vocabulary {
  #byLength: string[][] = [];
  #lastNumber = 0;
  #tableSet: TableSet | undefined;

  /**
   * The nearest word of the index, of equals the most frequent; null when none is near enough.
   * @param term.prefix the word is still being typed: it may also be the beginning of a longer one
   */
  async correct(
    db: BetterSqlite3.Database,
    { word: typed, prefix }: { word: string; prefix: boolean },
  ): Promise<{ word: string; prefix: boolean } | null> {
    const allowed = allowedTypos(typed);
    if (allowed === 0) return null;
    await this.#refresh(db);
    const whole = await this.#nearest(typed, allowed, { asBeginning: false });
    const word = mostFrequent(db, whole, { asBeginning: false });
    if (word) return { word, prefix: false };
    if (!prefix) return null;
    const beginnings = await this.#nearest(typed, allowed, { asBeginning: true });
    const beginning = mostFrequent(db, beginnings, { asBeginning: true });
    return beginning ? { word: beginning, prefix: true } : null;
  }

  async #nearest(typed: string, allowed: number, { asBeginning }: Part): Promise<string[]> {
    const longest = asBeginning ? this.#byLength.length : typed.length + allowed;
    let near = new Set<string>();
    let least = allowed;
    let compared = 0;
    for (let length = Math.max(1, typed.length - allowed); length <= longest; length += 1) {
      for (const word of this.#byLength[length] ?? []) {
        if (++compared % WORDS_PER_TURN === 0) await yieldAfterLongWork();
        const candidate = asBeginning ? word.slice(0, typed.length) : word;
        const typos = typosBetween(typed, candidate, least);
        if (typos > least) continue;
        if (typos < least) near = new Set();
        least = typos;
        near.add(candidate);
      }
    }
    return [...near];
  }

  async #refresh(db: BetterSqlite3.Database): Promise<void> {
    const tableSet = tableSetOf(db);
    if (!isSameTableSet(tableSet, this.#tableSet)) {
      this.#tableSet = tableSet;
      this.#byLength = [];
      this.#lastNumber = 0;
    }
    const read = db
      .prepare(
        `SELECT number, word FROM "${INDEX_NAME}_words" WHERE number > ? ORDER BY number LIMIT ${PAGE}`,
      )
      .raw();
    for (;;) {
      const rows = read.all(this.#lastNumber) as [number, string][];
      for (const [number, word] of rows) {
        this.#lastNumber = number;
        if (allowedTypos(word) > 0) (this.#byLength[word.length] ??= []).push(word);
      }
      if (rows.length < PAGE) return;
      await yieldAfterLongWork();
    }
  }
}

/** Whether whole words or only their beginnings are compared. */
interface Part {
  asBeginning: boolean;
}

// Words stay in the table when no post has them any more. They have no count.
function mostFrequent(db: BetterSqlite3.Database, words: string[], { asBeginning }: Part): string | null {
  const count = db
    .prepare(
      asBeginning
        ? `SELECT sum(doc) FROM "${INDEX_NAME}_counts" WHERE term >= ? AND term < ? || x'f48fbfbf'`
        : `SELECT doc FROM "${INDEX_NAME}_counts" WHERE term = ?`,
    )
    .pluck();
  let best: { word: string; documents: number } | null = null;
  for (const word of words.slice(0, CANDIDATES_MAX)) {
    const documents = (count.get(...(asBeginning ? [word, word] : [word])) as number | null | undefined) ?? 0;
    if (documents > (best?.documents ?? 0)) best = { word, documents };
  }
  return best?.word ?? null;
}
