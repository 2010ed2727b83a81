import type { ReactNode } from 'react';

/** A table with the heads of its columns. With a name, its box is a group that the keys scroll. */
export function Table({
  columns,
  numbers = [],
  className = 'table table-cards',
  label,
  labelledBy,
  children,
}: {
  columns: readonly ReactNode[];
  /** Indexes of the columns with numbers. */
  numbers?: readonly number[];
  className?: string;
  label?: string;
  labelledBy?: string;
  children: ReactNode;
}) {
  const group = { tabIndex: 0, role: 'group', 'aria-label': label, 'aria-labelledby': labelledBy };
  return (
    <div className="scroll" {...(label || labelledBy ? group : {})}>
      <table className={className}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={numbers.includes(index) ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
