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

/** Removes a row of the body. */
export function removeRow({ rows }: TableText, row: number): TableChange {
  const { from, to } = rows[row]!;
  return { from: from - 1, to, insert: '' };
}

/** Swaps two rows. */
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
