/** Rows as columns of equal width, for a person at a terminal. The last column is wrapped below itself. */
export function tableText(rows: readonly (readonly string[])[], width: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns - 1 }, (_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  );
  const indent = widths.reduce((sum, column) => sum + column + 2, 0);
  const room = Math.max(20, width - indent);
  return rows
    .map((row) => {
      const start = widths.map((column, index) => (row[index] ?? '').padEnd(column + 2)).join('');
      const lines = wrapped(row[columns - 1] ?? '', room);
      return `${start}${lines.join(`\n${' '.repeat(indent)}`)}`.trimEnd();
    })
    .join('\n');
}

function wrapped(text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** The fields of a result as rows: a name, and a value in words. */
export function rowsOf(result: object): string[][] {
  return Object.entries(result).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value))
      return value.length === 0
        ? [[name, 'none']]
        : value.map((item: unknown, index) => [index === 0 ? name : '', wordsOf(item)]);
    return [[name, wordsOf(value)]];
  });
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${name}: ${wordsOf(part)}`)
    .join(', ');
}
