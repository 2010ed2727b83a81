import {
  addColumn,
  addRow,
  cellText,
  removeColumn,
  removeRow,
  swapColumns,
  swapRows,
  type TableChange,
  type TableText,
} from './text.ts';

/** The position of a cell; the header is row 0. */
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

/** A row below the given one. */
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
