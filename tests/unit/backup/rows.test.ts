import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareBytes,
  isAscending,
  keyOf,
  lineOf,
  parseLine,
  rowOf,
  type BackupRow,
} from '#app/backup/format/rows.ts';
import { businessTables } from '#app/backup/format/tables.ts';

const tags = businessTables.find(({ name }) => name === 'tags')!;
const postTags = businessTables.find(({ name }) => name === 'post_tags')!;
const settings = businessTables.find(({ name }) => name === 'settings')!;
const time = '2026-11-20T08:00:00.000Z';
const texts = { slug: 'a', name: 'A', description: '', picture: '' };
const tag: BackupRow = { id: 'a', ...texts, created_at: time, updated_at: time };

describe('a row of a backup', () => {
  it('has its columns in the order of the model, and times in UTC with milliseconds', () => {
    const now = new Date(time);
    const record = { updatedAt: now, createdAt: now, ...texts, id: 'a' };
    expect(lineOf(rowOf(tags, record))).toBe(JSON.stringify(tag));
  });

  it('reads back as it was written', () => {
    expect(parseLine(tags, lineOf(tag))).toEqual(tag);
  });

  it.each([
    ['this is not JSON', '{"id"'],
    ['this is not JSON', ''],
    ['this is not an object', 'null'],
    ['this is not an object', '[]'],
    ['column "slug" is missing', lineOf({ ...tag, slug: undefined as never })],
    ['column "slug" is not text', lineOf({ ...tag, slug: null })],
    ['column "created_at" is not a time', lineOf({ ...tag, created_at: '2026-11-20T08:00:00Z' })],
    ['the column "more" is unknown', lineOf({ ...tag, more: 1 })],
    ['the column "redacted" is unknown', lineOf({ ...tag, redacted: true })],
    ['not written the way', lineOf({ slug: 'a', ...tag, id: 'a' }).replace('{', '{ ')],
    ['not written the way', lineOf(Object.fromEntries<BackupRow[string]>(Object.entries(tag).reverse()))],
    ['not written the way', lineOf(tag).replace('"A"', '"\\u0041"')],
  ])('is refused because %s: %s', (reason, line) => {
    expect(() => parseLine(tags, line)).toThrow(reason);
  });

  it('may hide the value of a setting', () => {
    const row = { key: 'smtp_password', redacted: true, updated_at: time };
    expect(parseLine(settings, lineOf(row))).toEqual(row);
    expect(() => parseLine(settings, lineOf({ ...row, redacted: false }))).toThrow('redacted');
    expect(() => parseLine(settings, lineOf({ ...row, value: 'x' }))).toThrow('"value" is unknown');
  });

  it('is named and sorted by its key', () => {
    const row = (post_id: string, tag_id: string): BackupRow => ({ post_id, tag_id, position: 0 });
    expect(keyOf(postTags, row('a', 'b'))).toBe('a b');
    expect(isAscending(postTags, row('a', 'b'), row('a', 'c'))).toBe(true);
    expect(isAscending(postTags, row('a', 'z'), row('b', 'a'))).toBe(true);
    expect(isAscending(postTags, row('a', 'b'), row('a', 'b'))).toBe(false);
    expect(isAscending(postTags, row('b', 'a'), row('a', 'z'))).toBe(false);
  });
});

describe('the order of texts', () => {
  it('is that of their UTF-8 bytes', () => {
    const wellFormed = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(wellFormed, wellFormed, (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareBytes(left, right))).toBe(bytes);
      }),
    );
    expect(compareBytes('\uffff', '\u{10000}')).toBeLessThan(0);
  });
});
