import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheStatements } from '#app/platform/database/statement-cache.ts';

let db: BetterSqlite3.Database;
let compiled: string[];

beforeEach(() => {
  db = new BetterSqlite3(':memory:');
  db.exec(
    "CREATE TABLE posts (id TEXT PRIMARY KEY, words INTEGER); INSERT INTO posts VALUES ('a', 1), ('b', 2)",
  );
  compiled = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => {
    compiled.push(sql);
    return prepare(sql);
  };
  cacheStatements(db);
});
afterEach(() => void db.close());

const byId = 'SELECT id, words FROM posts WHERE id = ?';
/** As the stock adapter does. */
const rows = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(values).raw().all();

test('a statement is compiled once and takes other values each time', () => {
  expect(rows(byId, 'a')).toEqual([['a', 1]]);
  expect(rows(byId, 'b')).toEqual([['b', 2]]);
  expect(rows(byId, 'c')).toEqual([]);
  expect(compiled).toEqual([byId]);
});

test('two that are bound before either runs keep their own values', () => {
  const [first, second] = [db.prepare(byId).bind(['a']), db.prepare(byId).bind(['b'])];
  expect([second.raw().all(), first.raw().all()]).toEqual([[['b', 2]], [['a', 1]]]);
});

test('what the adapter asks of a statement is told', () => {
  const reading = db.prepare(byId);
  expect(reading.readonly).toBe(true);
  expect(reading.bind(['a']).columns()).toMatchObject([
    { name: 'id', type: 'TEXT' },
    { name: 'words', type: 'INTEGER' },
  ]);
  const writing = db.prepare('UPDATE posts SET words = words + ? WHERE id = ?');
  expect([writing.readonly, writing.bind([1, 'a']).reader]).toEqual([false, false]);
  expect(writing.bind([1, 'a']).run()).toMatchObject({ changes: 1 });
  expect(rows(byId, 'a')).toEqual([['a', 2]]);
});

test('a cached statement follows a change of the tables', () => {
  const all = 'SELECT * FROM posts';
  const columnsOfAll = () => db.prepare(all).bind([]).columns().length;
  expect([columnsOfAll(), rows(all)[0]]).toEqual([2, ['a', 1]]);
  expect(rows('SELECT words FROM posts WHERE id = ?', 'b')).toEqual([[2]]);
  db.exec("ALTER TABLE posts ADD COLUMN title TEXT; INSERT INTO posts VALUES ('c', 3, 'Third')");
  expect(rows('SELECT words FROM posts WHERE id = ?', 'c')).toEqual([[3]]);
  expect([rows(all)[0], columnsOfAll()]).toEqual([['a', 1, null], 3]);
  db.exec('DROP TABLE posts');
  expect(() => rows('SELECT words FROM posts WHERE id = ?', 'c')).toThrow('no such table');
});

test('columns are asked once of a statement that names them', () => {
  const asked = (sql: string) => db.prepare(sql).bind([]).columns();
  const named = 'SELECT p.id, count(*) AS "n" FROM posts p GROUP BY 1';
  expect(asked(named)).toBe(asked(named));
  for (const all of ['SELECT * FROM posts', 'SELECT p.* FROM posts p', 'SELECT id, * FROM posts'])
    expect(asked(all)).not.toBe(asked(all));
});

test('one that does not compile is refused each time', () => {
  for (let time = 0; time < 2; time += 1)
    expect(() => rows('SELECT absent FROM posts')).toThrow('no such column');
});
