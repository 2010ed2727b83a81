/** A change of a table's text; positions count from the beginning of the table. */
export interface TableChange {
  from: number;
  to: number;
  insert: string;
}

/** One piece of a row between two pipes, with the spaces around its text. */
interface Segment {
  from: number;
  to: number;
}

interface Line {
  from: number;
  to: number;
  indent: string;
  segments: Segment[];
  /** True if the line begins and ends with a pipe. */
  isClosed: boolean;
}

/** A table in Markdown. The header is row 0. A change rewrites only what it changes. */
export interface TableText {
  text: string;
  columns: number;
  /** Header and body, without the line of dashes. */
  rows: Line[];
  dashes: Line;
}

/** Reads a table; null for any other text. Pipes after a backslash are text, as in the page. */
export function readTable(text: string): TableText | null {
  let from = 0;
  const lines = text.split('\n').map((line) => {
    const read = readLine(line, from);
    from += line.length + 1;
    return read;
  });
  const [header, dashes, ...body] = lines;
  if (!header || !dashes || header.segments.length !== dashes.segments.length) return null;
  const isDashes = dashes.segments.every((segment) =>
    /^\s*:?-+:?\s*$/.test(text.slice(segment.from, segment.to)),
  );
  return isDashes ? { text, columns: header.segments.length, rows: [header, ...body], dashes } : null;
}

function readLine(line: string, from: number): Line {
  const indent = /^\s*/.exec(line)![0];
  const end = line.trimEnd().length;
  const segments: Segment[] = [];
  let start = indent.length;
  for (let at = start; at <= end; at += 1) {
    if (at < end && (line[at] !== '|' || line[at - 1] === '\\')) continue;
    segments.push({ from: from + start, to: from + at });
    start = at + 1;
  }
  const isEmpty = (segment: Segment | undefined) => segment !== undefined && segment.from === segment.to;
  const opens = isEmpty(segments[0]);
  if (opens) segments.shift();
  const closes = isEmpty(segments.at(-1));
  if (closes) segments.pop();
  return { from, to: from + line.length, indent, segments, isClosed: opens && closes };
}

/** The text of a cell, without the backslashes of its pipes. */
export function cellText({ text, rows }: TableText, row: number, column: number): string {
  const segment = rows[row]?.segments[column];
  return segment ? text.slice(segment.from, segment.to).trim().replace(/\\\|/g, '|') : '';
}

/** The text of a cell on one line, as Markdown tables require. */
export function toOneLine(typed: string): string {
  return typed.replace(/\s*\n\s*/g, ' ').trim();
}

/** Writes a text into a cell; a row that lacks the cell gets it. */
export function setCell(table: TableText, row: number, column: number, words: string): TableChange {
  const line = table.rows[row]!;
  const written = toOneLine(words).replace(/\|/g, '\\|');
  const segment = line.segments[column];
  // A row that lacks the cell or its outer pipes is written with them.
  if (!segment || !line.isClosed) return writeRow(line, withCell(table, line, column, ` ${written} `));
  const raw = table.text.slice(segment.from, segment.to);
  if (raw.trim() === '' || written === '' || written.endsWith('\\'))
    return { ...segment, insert: written === '' ? '  ' : ` ${written} ` };
  const leadingSpaces = raw.length - raw.trimStart().length;
  const tail = raw.length - raw.trimEnd().length;
  return { from: segment.from + leadingSpaces, to: segment.to - tail, insert: written };
}

export type Alignment = '' | 'left' | 'center' | 'right';

const dashesOf: Record<Alignment, string> = { '': '---', left: ':--', center: ':-:', right: '--:' };

/** The alignment of a column; `''` if the table does not set it. */
export function alignmentOf({ text, dashes }: TableText, column: number): Alignment {
  const { from, to } = dashes.segments[column]!;
  const [, left, right] = /^(:?)-+(:?)$/.exec(text.slice(from, to).trim())!;
  return left ? (right ? 'center' : 'left') : right ? 'right' : '';
}

/** Aligns a column. Rewrites only the column's dashes. */
export function alignColumn({ text, dashes }: TableText, column: number, alignment: Alignment): TableChange {
  const { from, to } = dashes.segments[column]!;
  const raw = text.slice(from, to);
  const start = from + raw.length - raw.trimStart().length;
  return { from: start, to: start + raw.trim().length, insert: dashesOf[alignment] };
}

/** Inserts an empty row before the given one; after the last row if there is no such row. */
export function addRow({ text, rows, columns, dashes }: TableText, at: number): TableChange {
  const { indent } = rows[0]!;
  const row = `${indent}|${'  |'.repeat(columns)}`;
  const before = rows[at];
  if (before) return { from: before.from, to: before.from, insert: `${row}\n` };
  const end = rows.length > 1 ? text.length : dashes.to;
  return { from: end, to: end, insert: `\n${row}` };
}

export function removeRow({ rows }: TableText, row: number): TableChange {
  const { from, to } = rows[row]!;
  return { from: from - 1, to, insert: '' };
}

export function swapRows({ text, rows }: TableText, first: number, second: number): TableChange {
  const [upper, lower] = [rows[Math.min(first, second)]!, rows[Math.max(first, second)]!];
  const between = text.slice(upper.to, lower.from);
  return {
    from: upper.from,
    to: lower.to,
    insert: `${text.slice(lower.from, lower.to)}${between}${text.slice(upper.from, upper.to)}`,
  };
}

/** Inserts an empty column before the given one. */
export function addColumn(table: TableText, at: number): TableChange {
  return rewrite(table, (pieces, { isDashes }) => pieces.splice(at, 0, isDashes ? ' --- ' : '  '));
}

export function removeColumn(table: TableText, column: number): TableChange {
  return rewrite(table, (pieces) => pieces.splice(column, 1));
}

export function swapColumns(table: TableText, first: number, second: number): TableChange {
  return rewrite(table, (pieces) => {
    [pieces[first], pieces[second]] = [pieces[second]!, pieces[first]!];
  });
}

/** Rewrites every line after a change of its pieces. */
function rewrite(
  table: TableText,
  change: (pieces: string[], line: { isDashes: boolean }) => unknown,
): TableChange {
  const { text, rows, dashes } = table;
  const [header, ...body] = rows;
  const lines = [header!, dashes, ...body].map((line) => {
    const pieces = piecesOf(table, line, table.columns);
    change(pieces, { isDashes: line === dashes });
    return writeRow(line, pieces).insert;
  });
  return { from: 0, to: text.length, insert: lines.join('\n') };
}

function withCell(table: TableText, line: Line, column: number, piece: string): string[] {
  const pieces = piecesOf(table, line, column + 1);
  pieces[column] = piece;
  return pieces;
}

function piecesOf({ text }: TableText, { segments, isClosed }: Line, atLeast: number): string[] {
  const pieces = segments.map(({ from, to }) => text.slice(from, to));
  while (pieces.length < atLeast) pieces.push('  ');
  return isClosed ? pieces : pieces.map((piece) => ` ${piece.trim()} `);
}

function writeRow({ from, to, indent }: Line, pieces: string[]): TableChange {
  return { from, to, insert: `${indent}|${pieces.join('|')}|` };
}

export interface CellPosition {
  row: number;
  column: number;
}

/** An action of a button or key of a table. */
export interface GridAction {
  label: string;
  sign: string;
  /** The key, pressed with Alt. */
  key?: string;
  /** The change, and the cell that gets the caret after it; null if the action is not possible. */
  run(table: TableText, at: CellPosition): { change: TableChange; at: CellPosition } | null;
}

const rowTo = (step: number) => (table: TableText, at: CellPosition) => {
  const row = at.row + step;
  // The header stays the first row.
  if (at.row === 0 || row < 1 || row >= table.rows.length) return null;
  return { change: swapRows(table, at.row, row), at: { ...at, row } };
};

const columnTo = (step: number) => (table: TableText, at: CellPosition) => {
  const column = at.column + step;
  if (column < 0 || column >= table.columns) return null;
  return { change: swapColumns(table, at.column, column), at: { ...at, column } };
};

export function rowBelow(table: TableText, { row, column }: CellPosition) {
  return { change: addRow(table, row + 1), at: { row: row + 1, column } };
}

/** Adds a row after the last cell, for Tab; null elsewhere and in an empty last row, where Tab leaves the table. */
export function rowAfterLast(table: TableText, { row, column }: CellPosition) {
  const isLast = row === table.rows.length - 1 && column === table.columns - 1;
  const hasWords = Array.from({ length: table.columns }, (_, at) => cellText(table, row, at)).some(Boolean);
  return isLast && row > 0 && hasWords ? rowBelow(table, { row, column: 0 }) : null;
}

const toLeft = { label: 'Move the column to the left', sign: '←', key: 'ArrowLeft' };
const toRight = { label: 'Move the column to the right', sign: '→', key: 'ArrowRight' };

/** The actions in the order of their buttons. `before` and `after` are the sides of a column's neighbours. */
const actions = (before: typeof toLeft, after: typeof toLeft): readonly GridAction[] => [
  { label: 'Add a row below', sign: '+ Row', key: 'Enter', run: rowBelow },
  { label: 'Move the row up', sign: '↑', key: 'ArrowUp', run: rowTo(-1) },
  { label: 'Move the row down', sign: '↓', key: 'ArrowDown', run: rowTo(1) },
  {
    label: 'Remove the row',
    sign: '− Row',
    run: (table, at) =>
      at.row === 0
        ? null
        : {
            change: removeRow(table, at.row),
            at: { ...at, row: Math.min(at.row, table.rows.length - 2) },
          },
  },
  {
    label: 'Add a column after',
    sign: '+ Column',
    run: (table, { row, column }) => ({
      change: addColumn(table, column + 1),
      at: { row, column: column + 1 },
    }),
  },
  { ...before, run: columnTo(-1) },
  { ...after, run: columnTo(1) },
  {
    label: 'Remove the column',
    sign: '− Column',
    run: (table, { row, column }) =>
      table.columns === 1
        ? null
        : {
            change: removeColumn(table, column),
            at: { row, column: Math.min(column, table.columns - 2) },
          },
  },
];

export const gridActions = actions(toLeft, toRight);
const fromRight = actions(toRight, toLeft);

/** The actions for the direction of a text. */
export function gridActionsIn({ rightToLeft }: { rightToLeft: boolean }): readonly GridAction[] {
  return rightToLeft ? fromRight : gridActions;
}
