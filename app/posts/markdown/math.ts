import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/** Longer formulas are text. */
const CHARACTERS_MAX = 4_000;

/**
 * Maths: `$x^2$` and `` $`x^2`$ `` within a line, `$$ … $$` and a code block named `math` as a block. A single dollar
 * sign opens a formula only before a character that is no space or brace, and closes it only after one that is no
 * space. No letter or digit may be next to it on the outside. So prices, `${…}` and shell variables stay text.
 */
export function maths(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math', inlineMath);
  parser.block.ruler.before('fence', 'math', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  const { escapeHtml } = parser.utils;
  parser.renderer.rules.math_inline = (tokens, index) =>
    `<code data-math="inline">${escapeHtml(tokens[index]!.content)}</code>`;
  const block = (content: string) => `<p><code data-math="block">${escapeHtml(content.trim())}</code></p>\n`;
  parser.renderer.rules.math_block = (tokens, index) => block(tokens[index]!.content);
  const fence = parser.renderer.rules.fence!;
  parser.renderer.rules.fence = (tokens, index, ...others) => {
    const { info, content } = tokens[index]!;
    if (info.trim() !== 'math' || content.length > CHARACTERS_MAX) return fence(tokens, index, ...others);
    return block(content);
  };
}

const DOLLAR = 0x24;
const inTicks = /\$`([^`\n]{1,1000})`\$/y;
const inDollars = /\$(?![\s`${])([^$`\\\n]*(?:\\[^\n][^$`\\\n]*)*)\$/y;
const wordCharacter = /[\p{L}\p{N}_${]/u;

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== DOLLAR) return false;
  const pattern = src[pos + 1] === '`' ? inTicks : inDollars;
  pattern.lastIndex = pos;
  const match = pattern.exec(src);
  const content = match?.[1];
  if (content === undefined || content === '' || content.length > CHARACTERS_MAX) return false;
  const end = pattern.lastIndex;
  if (end > state.posMax || wordCharacter.test(src[end] ?? '') || wordCharacter.test(src[pos - 1] ?? ''))
    return false;
  if (/\s$/.test(content)) return false;
  if (!silent) state.push('math_inline', 'math', 0).content = content;
  state.pos = end;
  return true;
}

function blockMath(state: StateBlock, first: number, last: number, silent: boolean): boolean {
  if (state.sCount[first]! - state.blkIndent >= 4) return false;
  const start = state.bMarks[first]! + state.tShift[first]!;
  if (!state.src.startsWith('$$', start)) return false;
  const opening = state.src.slice(start + 2, state.eMarks[first]).trimEnd();
  const lines: string[] = [];
  let line = first;
  let length = 0;
  if (opening.length > 2 && opening.endsWith('$$')) lines.push(opening.slice(0, -2));
  else {
    if (opening !== '') lines.push(opening);
    for (line += 1; ; line += 1) {
      if (line >= last || state.sCount[line]! < state.blkIndent) return false;
      const text = state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]).trimEnd();
      length += text.length;
      // A formula has no empty line. Without a limit, each `$$` without an end would be searched to the end of the
      // text.
      if (text === '' || length > CHARACTERS_MAX) return false;
      if (text.endsWith('$$')) {
        lines.push(text.slice(0, -2));
        break;
      }
      lines.push(text);
    }
  }
  const content = lines.join('\n').trim();
  if (content === '' || content.includes('$$')) return false;
  if (silent) return true;
  const token = state.push('math_block', 'math', 0);
  Object.assign(token, { content, block: true, map: [first, line + 1] });
  state.line = line + 1;
  return true;
}
