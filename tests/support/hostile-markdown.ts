/** Texts that once took a rendering quadratic time, or more processor time than any text may. `n` repetitions. */
export const hostileMarkdown: Record<string, (n: number) => string> = {
  'equal headings': (n) => '# a\n'.repeat(n),
  'headings that want each other’s ids': (n) => many(n, (number) => `# a ${number + 2}\n# a\n`),
  'underlined headings': (n) => 'a\n===\n'.repeat(n),
  footnotes: (n) => `${many(n, (number) => `[^${number}] `)}\n\n${many(n, (number) => `[^${number}]: x\n`)}`,
  'footnotes that never close': (n) => `${'[^a'.repeat(n)}\n\n[^a]: x`,
  'lists in lists': (n) => '- - a\n'.repeat(n),
  'list marks': (n) => '* + - '.repeat(n),
  'half strikethroughs': (n) => '~a'.repeat(n),
  'a wide table': (n) => {
    const width = 2 * Math.round(Math.sqrt(n));
    return `${'|a'.repeat(width)}\n${'|-'.repeat(width)}\n${'|b\n'.repeat(width)}`;
  },
  'images in images': (n) => '![[]()'.repeat(n),
  'spaces inside a line': (n) => `a${' '.repeat(n)}b`,
  'spaces before the text': (n) => `${' '.repeat(n)}a`,
  'small blocks of code': (n) => '```rust\nfn a(){}\n```\n'.repeat(n / 4),
  'call-outs in call-outs': (n) => '> [!NOTE]\n'.repeat(n),
  'dollar signs that open': (n) => '$a '.repeat(n),
  'formulas that never close': (n) => '$$\na\n'.repeat(n),
  'escaped dollar signs': (n) => `$${'a\\$'.repeat(n)}`,
  prose: (n) =>
    'Lorem *ipsum* dolor [sit](/x) `amet`, consectetur www.example.org adipiscing.\n\n'.repeat(n / 10),
};

function many(n: number, part: (number: number) => string): string {
  return Array.from({ length: n }, (_, number) => part(number)).join('');
}
