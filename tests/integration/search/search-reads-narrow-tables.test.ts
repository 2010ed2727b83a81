import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { KnownTerms, Matches } from '#app/search/embedded/matches.server.ts';
import { createTables, writeDocuments } from '#app/search/embedded/tables.server.ts';
import { INDEX_NAME } from '#app/search/engine.ts';

// With its text each document has a page of its own, and a search filters and counts thousands in one turn.
it('filters and facets read no row with the text of a document', async () => {
  const db = new BetterSqlite3(':memory:');
  createTables(db, INDEX_NAME);
  const texts = {
    slug: 's',
    title: 'Sea',
    excerpt: '',
    body: 'Sea',
    category: 'C',
    tags: ['T'],
    author: 'A',
  };
  const terms = { publishedAt: 1, categoryId: 'c', tagIds: ['t'] };
  await writeDocuments(db, INDEX_NAME, [{ id: 'p', hash: 'h', ...texts, ...terms }], { isNew: true });
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => {
    statements.push(sql);
    return prepare(sql);
  };
  const query = { text: 'sea', categoryId: 'c', tagId: 't', excludedIds: ['other'], offset: 0, limit: 10 };
  const found = await new Matches(db, new KnownTerms(), query).collect('sea');
  const one = { count: 1 };
  expect(found).toMatchObject({
    accepted: [1],
    categories: [{ id: 'c', ...one }],
    tags: [{ id: 't', ...one }],
  });
  const wide = prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(INDEX_NAME);
  const readsWide = (sql: string) =>
    (prepare(`EXPLAIN ${sql}`).all(...[...sql.matchAll(/\?/g)].map(() => '[]')) as Opcode[]).some(
      ({ opcode, p2 }) => opcode === 'OpenRead' && p2 === wide,
    );
  // The greatest number is one row.
  expect(statements.filter((sql) => !sql.includes('max(number)') && readsWide(sql))).toEqual([]);
  db.close();
});

interface Opcode {
  opcode: string;
  p2: number;
}
