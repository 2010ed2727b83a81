import type BetterSqlite3 from 'better-sqlite3';
import { INDEX_NAME } from '../engine.ts';
import { isSameTableSet, tableSetOf, type TableSet } from './schema.server.ts';

/** About 2 MB: ten times the number of documents whose terms one search counts. */
const KNOWN_MAX = 10_000;

/** The category and tags of a document. */
export interface DocumentTerms {
  number: number;
  /** `''` for none. */
  categoryId: string;
  tagIds: readonly string[];
}

/**
 * Keeps the terms of documents in memory until the index changes. Nearly all searches count the terms of the same
 * newest posts, and reading them with SQLite took a tenth of a search.
 */
export class KnownTerms {
  #known = new Map<number, DocumentTerms>();
  /** Documents with the same tags share one list. */
  #tags = new Map<string, readonly string[]>();
  #tableSet: TableSet | undefined;
  #commit: unknown;

  /** The terms of documents, in the order of the numbers. `db` is in a read transaction. */
  read(db: BetterSqlite3.Database, numbers: number[]): DocumentTerms[] {
    this.#forgetChanged(db);
    const missing = numbers.filter((number) => !this.#known.has(number));
    if (missing.length > 0) {
      if (this.#known.size + missing.length > KNOWN_MAX) this.#forget();
      const needed = this.#known.size === 0 ? numbers : missing;
      const rows = JSON.parse(statement(db).get(JSON.stringify(needed)) as string) as Row[];
      for (const [number, categoryId, tagIds] of rows)
        this.#known.set(number, { number, categoryId, tagIds: this.#shared(tagIds) });
    }
    return numbers.map((number) => this.#known.get(number)!);
  }

  #forgetChanged(db: BetterSqlite3.Database): void {
    const tableSet = tableSetOf(db);
    // Changes with every commit of another connection. This one never writes.
    const commit = db.pragma('data_version', { simple: true });
    if (!isSameTableSet(tableSet, this.#tableSet) || commit !== this.#commit) this.#forget();
    this.#tableSet = tableSet;
    this.#commit = commit;
  }

  #forget(): void {
    this.#known = new Map();
    this.#tags = new Map();
  }

  #shared(tagIds: string[]): readonly string[] {
    const key = tagIds.join(' ');
    const shared = this.#tags.get(key);
    if (!shared) this.#tags.set(key, tagIds);
    return shared ?? tagIds;
  }
}

type Row = [number: number, categoryId: string, tagIds: string[]];

// One JSON text, because reading thousands of rows would take several times as long.
function statement(db: BetterSqlite3.Database): BetterSqlite3.Statement {
  return db
    .prepare(
      `SELECT json_group_array(json_array(m.number, m.category_id,
         (SELECT json_group_array(tag_id) FROM ${INDEX_NAME}_tags WHERE number = m.number)))
       FROM json_each(?) matched JOIN ${INDEX_NAME}_categories m ON m.number = matched.value`,
    )
    .pluck();
}
