import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainWords, tokenizable, wordsOf } from '#app/search/words.ts';

const odd = fc.constantFrom(
  ...[
    'C++',
    'c#',
    'v1.31.0',
    'V2',
    'v',
    '1.2.',
    'a.b',
    '3.14x',
    'x'.repeat(70),
    'Ünïcode',
    'ß',
    '検索',
    'ｶﾞ',
    'İ',
  ],
  ...[
    '+',
    '#',
    '.',
    ' ',
    '\n',
    '’',
    '—',
    'b+',
    'a+b',
    'C++11',
    'Notepad++',
    '٣.٤',
    '\u00ad',
    '한국어abc',
    '1.31.0+',
  ],
);
const text = fc
  .array(fc.oneof(odd, fc.string({ unit: 'grapheme' }), fc.string()))
  .map((parts) => parts.join(''));

it('words are the same with and without their places', () => {
  fc.assert(
    fc.property(text, (sample) => {
      expect(plainWords(sample)).toEqual(wordsOf(sample).map(({ word }) => word));
    }),
    { numRuns: 2_000 },
  );
});

it('the embedded index’s own tokenizer finds the same words in what it is given', () => {
  const db = new BetterSqlite3(':memory:');
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, tokenize="ascii tokenchars '.'");
    CREATE VIRTUAL TABLE found USING fts5vocab(texts, 'instance');`);
  const insert = db.prepare('INSERT INTO texts (rowid, text) VALUES (1, ?)');
  const words = db.prepare('SELECT term FROM found ORDER BY offset').pluck();
  const clear = db.prepare('DELETE FROM texts');
  fc.assert(
    fc.property(text, (sample) => {
      clear.run();
      insert.run(tokenizable(sample.toWellFormed()));
      expect(words.all()).toEqual(plainWords(sample.toWellFormed()));
    }),
    { numRuns: 2_000 },
  );
  db.close();
});
