import { randomInt } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { inTurns } from '#app/platform/jobs/event-loop.server.ts';
import type { SearchDocument } from '#app/search/engine.ts';
import { allowedTypos, SHORTEST_WITH_TYPO, plainWords, tokenizable } from '#app/search/words.ts';
import { isMark, marksOf } from './query.ts';

/** Raised when the tables or the rules for words change. An index of another version counts as lost. */
export const SCHEMA_VERSION = 7;

/** All tables of an index. The first one contains the documents and has the name of the index. */
const suffixes = ['', '_text', '_categories', '_tags', '_words', '_counts'] as const;

/**
 * Creates the tables of an index: the documents with the contract's fields (section 5), their folded words for FTS5,
 * their categories and tags, and every word once for corrections (reading the words from FTS5 would walk through the whole
 * index). Filters and facets read thousands of rows from narrow tables: with the texts, each row has a page of its own.
 */
export function createTables(db: BetterSqlite3.Database, name: string): void {
  db.exec(`
    CREATE TABLE "${name}" (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      slug TEXT NOT NULL,
      hash TEXT NOT NULL,
      publishedAt INTEGER NOT NULL,
      title TEXT NOT NULL,
      excerpt TEXT NOT NULL,
      category TEXT NOT NULL,
      tags TEXT NOT NULL,
      author TEXT NOT NULL,
      -- Last, so that the columns before it are read without a long text.
      body TEXT NOT NULL
    );
    CREATE TABLE "${name}_categories" (number INTEGER PRIMARY KEY, category_id TEXT NOT NULL);
    CREATE TABLE "${name}_tags" (number INTEGER NOT NULL, tag_id TEXT NOT NULL, PRIMARY KEY (number, tag_id)) WITHOUT ROWID;
    CREATE TABLE "${name}_words" (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
    CREATE VIRTUAL TABLE "${name}_text" USING fts5(
      title, excerpt, about, body, marks,
      content='', contentless_delete=1, tokenize="ascii tokenchars '.'",
      -- Two typed letters are the beginning of a thousand words: gathering these cost more than anything else of a search.
      prefix='2'
    );
    -- Parts of the index are merged when there are 16 of a size instead of 4, which halves the time of a rebuild.
    INSERT INTO "${name}_text" ("${name}_text", rank) VALUES ('automerge', 16);
    -- 16 MB, so that a build's transaction ends in one part instead of a part for each megabyte; fewer, larger pages.
    INSERT INTO "${name}_text" ("${name}_text", rank) VALUES ('hashsize', 16777216);
    INSERT INTO "${name}_text" ("${name}_text", rank) VALUES ('pgsz', 8000);
    CREATE VIRTUAL TABLE "${name}_counts" USING fts5vocab("${name}_text", 'row');
  `);
}

/** Drops the tables of an index where they exist. */
export function dropTables(db: BetterSqlite3.Database, name: string): void {
  for (const suffix of [...suffixes].reverse()) db.exec(`DROP TABLE IF EXISTS "${name}${suffix}"`);
}

/** Gives the tables of an index another name. */
export function renameTables(db: BetterSqlite3.Database, from: string, to: string): void {
  // The counts are a view on the text table by its name, so they are created again.
  db.exec(`DROP TABLE "${from}_counts"`);
  for (const suffix of suffixes.slice(0, -1))
    db.exec(`ALTER TABLE "${from}${suffix}" RENAME TO "${to}${suffix}"`);
  db.exec(`CREATE VIRTUAL TABLE "${to}_counts" USING fts5vocab("${to}_text", 'row')`);
}

/** The id of the index in this file. A later index in the same file has another one. */
export function indexId(db: BetterSqlite3.Database): unknown {
  return db.pragma('application_id', { simple: true });
}

/** Gives the index another id. */
export function setIndexId(db: BetterSqlite3.Database): void {
  db.pragma(`application_id = ${randomInt(1, 2 ** 31)}`);
}

/** Names of all indexes in the file. */
export function indexNames(db: BetterSqlite3.Database): string[] {
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%\\_text' ESCAPE '\\'")
    .pluck()
    .all() as string[];
  return tables.map((table) => table.slice(0, -'_text'.length));
}

/** Whether the index exists and is of this version. */
export function hasTables(db: BetterSqlite3.Database, name: string): boolean {
  return db.pragma('user_version', { simple: true }) === SCHEMA_VERSION && indexNames(db).includes(name);
}

/** Identifies a set of tables. Cached values of an index are valid only for the same set. */
export interface TableSet {
  /** Differs for a replaced file, which is opened again. */
  db: BetterSqlite3.Database;
  /** SQLite raises it when a table is created, dropped or renamed. */
  schema: unknown;
}

export function tableSetOf(db: BetterSqlite3.Database): TableSet {
  return { db, schema: db.pragma('schema_version', { simple: true }) };
}

export function isSameTableSet(a: TableSet, b: TableSet | undefined): boolean {
  return a.db === b?.db && a.schema === b.schema;
}

/** A transaction with this number of words takes ten milliseconds. */
const WORDS_PAGE = 5_000;

/**
 * Adds or replaces documents, inside the caller's transaction.
 * @param isNew the index has no documents to replace, and `gatherWords` adds the words for corrections later
 */
export async function writeDocuments(
  db: BetterSqlite3.Database,
  name: string,
  documents: SearchDocument[],
  { isNew = false } = {},
): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO "${name}"
       (id, slug, hash, publishedAt, title, excerpt, category, tags, author, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertText = db.prepare(
    `INSERT INTO "${name}_text" (rowid, title, excerpt, about, body, marks) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const insertCategory = db.prepare(`INSERT INTO "${name}_categories" (number, category_id) VALUES (?, ?)`);
  const insertTag = db.prepare(`INSERT OR IGNORE INTO "${name}_tags" (number, tag_id) VALUES (?, ?)`);
  const deleteOne = deletion(db, name);
  for await (const document of inTurns(documents)) {
    if (!isNew) deleteOne(document.id);
    const { lastInsertRowid: number } = insert.run(...columnsOf(document));
    const fields = [document.title, document.excerpt, aboutOf(document), document.body];
    insertText.run(number, ...fields.map(tokenizable), marksOf(document));
    insertCategory.run(number, document.categoryId);
    for (const tagId of document.tagIds) insertTag.run(number, tagId);
    if (isNew) continue;
    const words = new Set(fields.flatMap((field) => plainWords(field)));
    // Shorter words are never corrected.
    const isCorrected = (word: string) => word.length >= SHORTEST_WITH_TYPO && allowedTypos(word) > 0;
    insertWords(db, name, [...words].filter(isCorrected));
  }
}

/** In one statement: a call for each word takes four times as long. */
function insertWords(db: BetterSqlite3.Database, name: string, words: string[]): void {
  const list = JSON.stringify(words);
  db.prepare(`INSERT OR IGNORE INTO "${name}_words" (word) SELECT value FROM json_each(?)`).run(list);
}

/**
 * Adds a page of the words that the text table has, after a word, inside the caller's transaction. The table then also
 * contains words with digits, which are never corrected.
 * @returns the last of them; null when there are no more
 */
export function gatherWords(db: BetterSqlite3.Database, name: string, after: string): string | null {
  const words = db
    .prepare(`SELECT term FROM "${name}_counts" WHERE term > ? ORDER BY term LIMIT ${WORDS_PAGE}`)
    .pluck()
    .all(after) as string[];
  const isWord = (word: string) => word.length >= SHORTEST_WITH_TYPO && !isMark(word);
  insertWords(db, name, words.filter(isWord));
  return words.length < WORDS_PAGE ? null : words.at(-1)!;
}

/** Removes documents, inside the caller's transaction. */
export async function removeDocuments(
  db: BetterSqlite3.Database,
  name: string,
  ids: string[],
): Promise<void> {
  const deleteOne = deletion(db, name);
  for await (const id of inTurns(ids)) deleteOne(id);
}

function columnsOf(document: SearchDocument): (string | number)[] {
  const { id, slug, hash, publishedAt, title, excerpt, category, tags, author, body } = document;
  const tagNames = JSON.stringify(tags);
  return [id, slug, hash, publishedAt, title, excerpt, category, tagNames, author, body];
}

/** What a post is about, apart from its text. */
function aboutOf({ category, tags, author }: SearchDocument): string {
  return [category, ...tags, author].join('\n');
}

function deletion(db: BetterSqlite3.Database, name: string): (id: string) => void {
  const find = db.prepare(`SELECT number FROM "${name}" WHERE id = ?`).pluck();
  const statements = [
    db.prepare(`DELETE FROM "${name}_text" WHERE rowid = ?`),
    db.prepare(`DELETE FROM "${name}_categories" WHERE number = ?`),
    db.prepare(`DELETE FROM "${name}_tags" WHERE number = ?`),
    db.prepare(`DELETE FROM "${name}" WHERE number = ?`),
  ];
  return (id) => {
    const number = find.get(id);
    if (number !== undefined) for (const statement of statements) statement.run(number);
  };
}
