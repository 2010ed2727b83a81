import type BetterSqlite3 from 'better-sqlite3';
import { inTurns } from '#app/platform/jobs/event-loop.server.ts';
import type { SearchDocument } from '../engine.ts';
import { allowedTypos, SHORTEST_WITH_TYPO } from '../spelling.ts';
import { plainWords, tokenizable } from '../words.ts';
import { isMark, marksOf } from './marks.ts';

// About 20 MB.
const KNOWN_WORDS_MAX = 200_000;

/** A transaction with this number of words takes ten milliseconds. */
const WORDS_PAGE = 5_000;

/** Words that are certainly in an index's `_words` table, and need not be written again. */
export type KnownWords = Set<string>;

/**
 * Adds or replaces documents, inside the caller's transaction.
 * @param known null for a new index: it has no documents to replace, and `gatherWords` adds the words for corrections
 *   later
 */
export async function writeDocuments(
  db: BetterSqlite3.Database,
  name: string,
  documents: SearchDocument[],
  known: KnownWords | null,
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
  const insertWord = db.prepare(`INSERT OR IGNORE INTO "${name}_words" (word) VALUES (?)`);
  const deleteOne = deletion(db, name);
  if (known && known.size > KNOWN_WORDS_MAX) known.clear();
  for await (const document of inTurns(documents)) {
    if (known) deleteOne(document.id);
    const { lastInsertRowid: number } = insert.run(...columnsOf(document));
    const fields = [document.title, document.excerpt, aboutOf(document), document.body];
    insertText.run(number, ...fields.map(tokenizable), marksOf(document));
    insertCategory.run(number, document.categoryId);
    for (const tagId of document.tagIds) insertTag.run(number, tagId);
    if (known) for (const field of fields) addWords(plainWords(field), known, insertWord);
  }
}

function addWords(words: string[], known: KnownWords, insert: BetterSqlite3.Statement): void {
  for (const word of words) {
    // Shorter words are never corrected.
    if (word.length < SHORTEST_WITH_TYPO || known.has(word)) continue;
    known.add(word);
    if (allowedTypos(word) > 0) insert.run(word);
  }
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
  // In one statement: a call for each word takes four times as long.
  db.prepare(`INSERT OR IGNORE INTO "${name}_words" (word) SELECT value FROM json_each(?)`).run(
    JSON.stringify(words.filter((word) => word.length >= SHORTEST_WITH_TYPO && !isMark(word))),
  );
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
