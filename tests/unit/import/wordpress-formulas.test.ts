import { expect, it } from 'vitest';
import { wordpressToMarkdown } from '#app/import/wordpress/html.ts';

const read = (html: string) => wordpressToMarkdown(html).markdown;

it('formulas in a line stay in it, whichever way they are written', () => {
  expect(read('E = $latex mc^2$ and [latex]a_b[/latex] and [latex size="2"]x[1][/latex].')).toBe(
    'E = $`mc^2`$ and $`a_b`$ and $`x[1]`$.',
  );
});

it('LaTeX on lines of its own is code', () => {
  expect(read('[latex]\n\\begin{x}\n\\end{x}\n[/latex]')).toContain('```latex\n\\begin{x}');
});

it('a line break in the cell of a table stays', () => {
  const table = '<table><tr><th>a</th><th>b<br/>B</th></tr><tr><td>c<br>d</td><td>e</td></tr></table>';
  expect(read(table)).toBe('| a     | b<br>B |\n| ----- | ----- |\n| c<br>d | e     |');
});
