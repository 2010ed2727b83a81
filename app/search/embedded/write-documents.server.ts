import type BetterSqlite3 from 'better-sqlite3';
import type { SearchDocument } from '../engine.ts';
import { allowedTypos, SHORTEST_WITH_TYPO } from '../spelling.ts';
import { plainWords } from '../words.ts';
import { breathe } from './search-file.server.ts';

// An insert took about a millisecond for 4 KB of text (measured), so other requests wait ten at most.
const DOCUMENTS_PER_TURN = 10;
// About 20 MB.
const KNOWN_WORDS_MAX = 200_000;

/** Words that are in an index's `_words` table for certain, so that they need not be written again. */
export type KnownWords = Set<string>;

/** Adds or replaces documents, inside the caller's transaction. */
export async function writeDocuments(
  db: BetterSqlite3.Database,
  name: string,
  documents: SearchDocument[],
  known: KnownWords,
): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO "${name}" (id, slug, hash, published_at, category_id, title, excerpt, category, tags, author, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertText = db.prepare(
    `INSERT INTO "${name}_text" (rowid, title, excerpt, about, body) VALUES (?, ?, ?, ?, ?)`,
  );
  const insertTag = db.prepare(`INSERT OR IGNORE INTO "${name}_tags" (number, tag_id) VALUES (?, ?)`);
  const insertWord = db.prepare(`INSERT OR IGNORE INTO "${name}_words" (word) VALUES (?)`);
  const deleteOne = deletion(db, name);
  if (known.size > KNOWN_WORDS_MAX) known.clear();
  for (const [index, document] of documents.entries()) {
    if (index > 0 && index % DOCUMENTS_PER_TURN === 0) await breathe();
    deleteOne(document.id);
    const { lastInsertRowid: number } = insert.run(...columnsOf(document));
    const fields = [document.title, document.excerpt, aboutOf(document), document.body].map(plainWords);
    insertText.run(number, ...fields.map((words) => words.join(' ')));
    for (const tagId of document.tagIds) insertTag.run(number, tagId);
    for (const words of fields)
      for (const word of words) {
        // Short ones are never corrected.
        if (word.length < SHORTEST_WITH_TYPO || known.has(word)) continue;
        known.add(word);
        if (allowedTypos(word) > 0) insertWord.run(word);
      }
  }
}

/** Removes documents, inside the caller's transaction. */
export function removeDocuments(db: BetterSqlite3.Database, name: string, ids: string[]): void {
  const deleteOne = deletion(db, name);
  for (const id of ids) deleteOne(id);
}

function columnsOf(document: SearchDocument): (string | number)[] {
  const { id, slug, hash, publishedAt, categoryId, title, excerpt, category, tags, author, body } = document;
  const tagNames = JSON.stringify(tags);
  return [id, slug, hash, publishedAt, categoryId, title, excerpt, category, tagNames, author, body];
}

/** What a post is about, apart from its text. */
function aboutOf({ category, tags, author }: SearchDocument): string {
  return [category, ...tags, author].join('\n');
}

function deletion(db: BetterSqlite3.Database, name: string): (id: string) => void {
  const find = db.prepare(`SELECT number FROM "${name}" WHERE id = ?`).pluck();
  const statements = [
    db.prepare(`DELETE FROM "${name}_text" WHERE rowid = ?`),
    db.prepare(`DELETE FROM "${name}_tags" WHERE number = ?`),
    db.prepare(`DELETE FROM "${name}" WHERE number = ?`),
  ];
  return (id) => {
    const number = find.get(id);
    if (number !== undefined) for (const statement of statements) statement.run(number);
  };
}
