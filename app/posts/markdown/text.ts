import type { Nodes, Root } from 'hast';

/** The text of a post without markup, code included: for search and word counts. Each block ends its line. */
export function plainTextOf(tree: Root): string {
  const parts: string[] = [];
  collect(tree, parts);
  return parts.join('').replace(/\s+/g, paragraphBreak).trim();
}

/**
 * White space with an empty line in it becomes one empty line. Works on whole runs of white space: a pattern
 * for the empty line itself takes quadratic time on long runs of spaces.
 */
function paragraphBreak(space: string): string {
  const emptyLine = /\n[ \t]*\n/.exec(space);
  if (!emptyLine) return space;
  let end = emptyLine.index;
  while (end > 0 && (space[end - 1] === ' ' || space[end - 1] === '\t')) end -= 1;
  return `${space.slice(0, end)}\n\n`;
}

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu;

/** Letters of scripts whose words have no spaces between them and are found with a dictionary. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Counts words; in Chinese and Japanese, characters. */
export function countWords(text: string): number {
  const found = text.match(wordPattern) ?? [];
  // Older browsers have no dictionary.
  if (!unspaced.test(text) || !('Segmenter' in Intl)) return found.length;
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const wordsIn = (run: string) => [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).length;
  return found.reduce((sum, run) => sum + (unspaced.test(run) ? wordsIn(run) : 1), 0);
}

const paragraphs = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'blockquote', 'table', 'figure']);
const lines: ReadonlySet<string> = new Set(
  'div section ul ol li dl dt dd tr caption br hr figcaption details summary'.split(' '),
);

function collect(node: Nodes, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value);
  if (node.type !== 'element' && node.type !== 'root') return;
  // The numbers and arrows of footnotes are links without words.
  if (node.type === 'element' && /^doc-(noteref|backlink)$/.test(String(node.properties.role))) return;
  for (const child of node.children) collect(child, parts);
  if (node.type === 'root') return;
  if (paragraphs.has(node.tagName)) parts.push('\n\n');
  else if (lines.has(node.tagName)) parts.push('\n');
  else if (node.tagName === 'td' || node.tagName === 'th') parts.push(' ');
}
