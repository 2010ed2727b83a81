import { expect, test } from 'vitest';
import { readFrontMatter } from '#app/export/front-matter.ts';
import { oldAddress } from '#app/import/addresses/old-address.ts';
import { dayInName, dayInPath, readSourceDate } from '#app/import/model/date.ts';

test.each([
  ['YAML', '---\ntitle: "A: b"\ntags: [x, y]\n---\n\nText\n', { title: 'A: b', tags: ['x', 'y'] }],
  ['YAML that ends with dots', '---\ntitle: a\n...\nText\n', { title: 'a' }],
  [
    'TOML',
    '+++\ntitle = "a"\n[taxonomies]\ntags = ["x"]\n+++\nText',
    { title: 'a', taxonomies: { tags: ['x'] } },
  ],
  ['CRLF and a byte order mark', '\uFEFF---\r\ntitle: a\r\n---\r\n\r\nText\r\n', { title: 'a' }],
  ['none', 'Text', {}],
  ['an empty one', '---\n---\nText', {}],
  ['only a comment', '---\n# nothing\n---\nText\n', {}],
])('reads %s', (_name, file, data) => {
  const read = readFrontMatter(file);
  expect(read.data).toEqual(data);
  expect(read.body).toBe('Text');
});

test('keeps every character of the text but one blank line before it and the line end after it', () => {
  expect(readFrontMatter('---\na: 1\n---\n\n\n  x \n\n').body).toBe('\n  x \n');
  expect(readFrontMatter('---\na: 1\n---\n---\nx').body).toBe('---\nx');
  expect(readFrontMatter('---\na: 1\n---').body).toBe('');
});

test.each([
  ['no end', '---\ntitle: a\nText'],
  ['broken YAML', '---\ntitle: [a\n---\n'],
  ['broken TOML', '+++\ntitle = \n+++\n'],
  [
    'an alias bomb',
    `---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(10)}]\nc: [${'*b,'.repeat(90)}]\n---\n`,
  ],
])('refuses %s', (_name, file) => {
  expect(() => readFrontMatter(file)).toThrow(/^The front matter cannot be read: /);
});

test('reads the other values if one cannot be read, and a text between rules as text', () => {
  expect(readFrontMatter('---\na: 1\na: b: c\nd: [x\n---\n')).toMatchObject({
    data: { a: 'b: c' },
    uncertain: ['a', 'a', 'd'],
  });
  expect(readFrontMatter('---\n- a\n---\n')).toMatchObject({ data: {}, body: '---\n- a\n---' });
});

test.each([
  ['2026-11-20', '2026-11-19T23:00:00.000Z'],
  ['2026-11-20 08:30', '2026-11-20T07:30:00.000Z'],
  ['2026-11-20T08:30:15', '2026-11-20T07:30:15.000Z'],
  ['2026-07-20 8:30:15', '2026-07-20T06:30:15.000Z'],
  ['2026-11-20T08:30:15.123Z', '2026-11-20T08:30:15.123Z'],
  ['2014-09-15 12:00:00 -0700', '2014-09-15T19:00:00.000Z'],
  ['2014-09-15T12:00:00+02:00', '2014-09-15T10:00:00.000Z'],
  ['2014-09-15 12:00 UTC', '2014-09-15T12:00:00.000Z'],
  // Skipped by the clock change in Berlin, and occurring twice.
  ['2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
])('the date %s', (written, instant) => {
  expect(readSourceDate(written, 'Europe/Berlin')?.toISOString()).toBe(instant);
});

test('TOML dates keep what was written', () => {
  const { data } = readFrontMatter(
    '+++\na = 2026-11-20\nb = 2026-11-20T08:30:00\nc = 2026-11-20T08:30:00Z\n+++\n',
  );
  const read = (name: string) => readSourceDate(data[name], 'Europe/Berlin')?.toISOString();
  expect([read('a'), read('b'), read('c')]).toEqual([
    '2026-11-19T23:00:00.000Z',
    '2026-11-20T07:30:00.000Z',
    '2026-11-20T08:30:00.000Z',
  ]);
});

test.each([
  '2026-02-30',
  '2026-13-01',
  '20.11.2026',
  'tomorrow',
  '2026-11-20T25:00',
  '2026-11-20T08:00+99:00',
  '',
  2014,
  null,
])('no date: %s', (written) => {
  expect(readSourceDate(written, 'UTC')).toBeNull();
});

test('days in paths and names', () => {
  expect(dayInPath('2014/09/15/Rust-1.0')).toBe('2014-09-15');
  expect(dayInPath('/blog/2014/9/5/x/')).toBe('2014-09-05');
  expect(dayInPath('blog/12014/09/15')).toBeNull();
  expect(dayInName('2014-09-15-Rust-1.0')).toEqual({ day: '2014-09-15', rest: 'Rust-1.0' });
  expect(dayInName('2014-09-15')).toEqual({ day: '2014-09-15', rest: '2014-09-15' });
  expect(dayInName('Rust-1.0')).toEqual({ day: null, rest: 'Rust-1.0' });
});

test.each([
  ['2014/09/15/Rust-1.0.html', '/2014/09/15/Rust-1.0.html'],
  ['/a//b/./c/', '/a/b/c'],
  ['https://old.example/a%20b/?p=1#x', '/a b'],
  ['/数据', '/数据'],
  ['?p=12', null],
  ['https://old.example/', null],
  ['/a/../b', null],
  ['/%zz', null],
  ['/a\0', null],
  ['', null],
])('the old address %s', (written, path) => {
  expect(oldAddress(written)).toBe(path);
});
