// A table's Markdown, edited cell by cell: what is not edited stays byte for byte.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addColumn,
  addRow,
  cellText,
  readTable,
  removeColumn,
  removeRow,
  setCell,
  swapColumns,
  swapRows,
  type TableChange,
  type TableText,
} from '#app/admin/editor/live/tables/text.ts';

const uneven = 'Name|  Height  |Built\n:--|--:|---\n| Bell \\| Rock |36 m|\n|`a\\|b`|  | 1810 | too many |';

const read = (text: string) => readTable(text)!;
const apply = ({ text }: TableText, { from, to, insert }: TableChange) =>
  text.slice(0, from) + insert + text.slice(to);
const cells = (text: string) => {
  const table = read(text);
  return table.rows.map((_, row) =>
    Array.from({ length: table.columns }, (_, column) => cellText(table, row, column)),
  );
};

it('reads header and rows; pipes behind a backslash are text; what has no line of dashes is no table', () => {
  expect(cells(uneven)).toEqual([
    ['Name', 'Height', 'Built'],
    ['Bell | Rock', '36 m', ''],
    ['`a|b`', '', '1810'],
  ]);
  expect(readTable('| a |\nno dashes')).toBeNull();
  expect(readTable('| a | b |\n| --- |')).toBeNull();
});

it('changes one cell and leaves every other byte', () => {
  const table = read(uneven);
  expect(apply(table, setCell(table, 2, 0, 'new | words'))).toBe(uneven.replace('`a\\|b`', 'new \\| words'));
  expect(apply(table, setCell(table, 2, 1, '40 m'))).toBe(uneven.replace('|  |', '| 40 m |'));
  // A row that lacks the cell gets it.
  expect(apply(table, setCell(table, 1, 2, '1810'))).toBe(uneven.replace('|36 m|', '|36 m| 1810 |'));
  expect(cells(apply(table, setCell(table, 0, 0, 'a\\')))[0]).toEqual(['a\\', 'Height', 'Built']);
  expect(cells(apply(table, setCell(table, 0, 0, '')))[0]).toEqual(['', 'Height', 'Built']);
});

it('adds, moves and removes rows and columns', () => {
  const table = read('| a | b |\n| --- | :-: |\n| 1 | 2 |\n| 3 | 4 |');
  expect(cells(apply(table, addRow(table, 1)))[1]).toEqual(['', '']);
  expect(apply(table, addRow(table, 3))).toBe(`${table.text}\n|  |  |`);
  expect(cells(apply(table, removeRow(table, 2)))).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(cells(apply(table, swapRows(table, 1, 2))).slice(1)).toEqual([
    ['3', '4'],
    ['1', '2'],
  ]);
  expect(apply(table, addColumn(table, 2))).toBe(
    '| a | b |  |\n| --- | :-: | --- |\n| 1 | 2 |  |\n| 3 | 4 |  |',
  );
  expect(apply(table, removeColumn(table, 0))).toBe('| b |\n| :-: |\n| 2 |\n| 4 |');
  expect(apply(table, swapColumns(table, 0, 1))).toBe('| b | a |\n| :-: | --- |\n| 2 | 1 |\n| 4 | 3 |');
  const bare = read('| a |\n| - |');
  expect(cells(apply(bare, addRow(bare, 1)))).toEqual([['a'], ['']]);
});

it('whatever is typed into a cell is read from it again, and no other cell changes', () => {
  const words = fc.string({ maxLength: 12 }).map((typed) => typed.replace(/\s+/g, ' ').trim());
  const place = fc.record({ row: fc.nat(2), column: fc.nat(2), words });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 8 }), (edits) => {
      let text = uneven;
      for (const { row, column, words } of edits) {
        const expected = cells(text);
        expected[row]![column] = words;
        const table = read(text);
        text = apply(table, setCell(table, row, column, words));
        expect(cells(text)).toEqual(expected);
      }
    }),
  );
});
