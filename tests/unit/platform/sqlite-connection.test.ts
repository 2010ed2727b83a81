import type { ArgType } from '@prisma/driver-adapter-utils';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteConnection } from '#app/platform/database/sqlite-connection.server.ts';

let db: SqliteConnection;
let compiled: string[];

beforeEach(() => {
  db = new SqliteConnection(':memory:');
  db.runScript(
    "CREATE TABLE posts (id TEXT PRIMARY KEY, words INTEGER NOT NULL); INSERT INTO posts VALUES ('a', 1), ('b', 2)",
  );
  compiled = [];
  const prepare = db.client.prepare.bind(db.client);
  db.client.prepare = (sql: string) => {
    compiled.push(sql);
    return prepare(sql);
  };
});
afterEach(() => db.close());

const byId = 'SELECT id, words FROM posts WHERE id = ?';
const text: ArgType = { scalarType: 'string', arity: 'scalar' };
const query = (sql: string, ...args: unknown[]) => db.query({ sql, args, argTypes: args.map(() => text) });
const rows = (sql: string, ...args: unknown[]) => query(sql, ...args).rows;
const execute = (sql: string, ...args: unknown[]) =>
  db.execute({ sql, args, argTypes: args.map(() => text) });
const convert = (value: unknown, scalarType: ArgType['scalarType']) =>
  db.query({ sql: 'SELECT ?', args: [value], argTypes: [{ scalarType, arity: 'scalar' }] }).rows[0]![0];

test('a statement is compiled once and takes other values each time', () => {
  expect(rows(byId, 'a')).toEqual([['a', 1]]);
  expect(rows(byId, 'b')).toEqual([['b', 2]]);
  expect(rows(byId, 'c')).toEqual([]);
  expect(compiled).toEqual([byId]);
});

test('it knows which statements write, and how many rows they change', () => {
  const write = 'UPDATE posts SET words = words + ? WHERE id = ?';
  expect([db.isReadOnly(byId), db.isReadOnly(write)]).toEqual([true, false]);
  expect(execute(write, 1, 'a')).toBe(1);
  expect(query(write, 1, 'a')).toEqual({ columnNames: [], columnTypes: [], rows: [] });
  expect(rows(byId, 'a')).toEqual([['a', 3]]);
});

test('a cached statement follows a change of the tables', () => {
  const all = 'SELECT * FROM posts';
  expect(query(all)).toMatchObject({
    columnNames: ['id', 'words'],
    rows: [
      ['a', 1],
      ['b', 2],
    ],
  });
  expect(rows('SELECT words FROM posts WHERE id = ?', 'b')).toEqual([[2]]);
  db.runScript("ALTER TABLE posts ADD COLUMN title TEXT; INSERT INTO posts VALUES ('c', 3, 'Third')");
  expect(rows('SELECT words FROM posts WHERE id = ?', 'c')).toEqual([[3]]);
  expect(query(all)).toMatchObject({ columnNames: ['id', 'words', 'title'] });
  expect(rows(all)[0]).toEqual(['a', 1, null]);
  db.runScript('DROP TABLE posts');
  expect(() => rows('SELECT words FROM posts WHERE id = ?', 'c')).toThrow(
    expect.objectContaining({
      cause: expect.objectContaining({ kind: 'TableDoesNotExist', table: 'posts' }),
    }),
  );
});

test('columns are asked once of a statement that names them', () => {
  const named = 'SELECT p.id, count(*) AS "n" FROM posts p GROUP BY 1';
  expect(query(named).columnNames).toBe(query(named).columnNames);
  for (const all of ['SELECT * FROM posts', 'SELECT p.* FROM posts p', 'SELECT id, * FROM posts'])
    expect(query(all).columnNames).not.toBe(query(all).columnNames);
});

test('one that does not compile is refused each time', () => {
  const refusal = { kind: 'ColumnNotFound', column: 'absent', originalCode: 'SQLITE_ERROR' };
  for (let time = 0; time < 2; time += 1)
    expect(() => rows('SELECT absent FROM posts')).toThrow(
      expect.objectContaining({ cause: expect.objectContaining(refusal) }),
    );
});

test('a column has its declared type, and a computed one the type of its first value', () => {
  db.runScript(`
    CREATE TABLE kinds (n INTEGER, big BIGINT, real REAL, flag BOOLEAN, at DATETIME, bytes BLOB, other ODD);
    INSERT INTO kinds VALUES (NULL, 9007199254740993, 1.5, 1, 1000, x'0102', NULL), (3.0, 4, 2, 0, '2026-01-01', NULL, 'x')`);
  const result = query("SELECT *, 1 + 1, 'text', NULL, 0.5 FROM kinds");
  const { Int32, Int64, Double, Boolean, DateTime, Bytes, Text, UnknownNumber } = ColumnTypeEnum;
  expect(result.columnTypes).toEqual([
    ...[Int32, Int64, Double, Boolean, DateTime, Bytes, Text],
    ...[Int64, Text, Int32, UnknownNumber],
  ]);
  expect(result.rows).toEqual([
    [
      null,
      '9007199254740993',
      1.5,
      1,
      '1970-01-01T00:00:01.000Z',
      Buffer.from([1, 2]),
      null,
      2,
      'text',
      null,
      0.5,
    ],
    [3, 4, 2, 0, '2026-01-01', null, 'x', 2, 'text', null, 0.5],
  ]);
});

test('values are stored as Prisma wrote them before', () => {
  expect(convert(true, 'boolean')).toBe(1);
  expect(convert('12', 'bigint')).toBe(12);
  expect(convert('12', 'int')).toBe(12);
  expect(convert('1.5', 'decimal')).toBe(1.5);
  expect(convert('2026-01-01T00:00:00Z', 'datetime')).toBe('2026-01-01T00:00:00.000+00:00');
  expect(convert(new Date(0), 'datetime')).toBe('1970-01-01T00:00:00.000+00:00');
  expect(convert('AQI=', 'bytes')).toEqual(Buffer.from([1, 2]));
  expect(convert(null, 'bytes')).toBe(null);
});

test('a broken constraint is named in the terms of Prisma', () => {
  const insert = 'INSERT INTO posts VALUES (?, ?)';
  const causeOf = (...args: unknown[]) => {
    try {
      return execute(insert, ...args);
    } catch (error) {
      return (error as Error).cause;
    }
  };
  expect(causeOf('a', 1)).toMatchObject({
    kind: 'UniqueConstraintViolation',
    constraint: { fields: ['id'] },
    table: 'posts',
  });
  expect(causeOf('c', null)).toMatchObject({
    kind: 'NullConstraintViolation',
    constraint: { fields: ['words'] },
  });
  expect(causeOf('c', 1)).toBe(1);
});
