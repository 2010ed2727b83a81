import type { Element, Nodes } from 'hast';
import { toString } from 'hast-util-to-string';
import { parseHtml } from '#app/platform/text/hast.ts';

/** The text part of a mail, from its HTML: headings, lists with their marks, links with their addresses. */
export function mailText(html: string): string {
  const tree = parseHtml(html);
  return blocksOf(tree.children)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const blockNames = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre'],
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption', 'hr', 'div', 'figure', 'figcaption'],
]);

function isBlock(node: Nodes): node is Element {
  return node.type === 'element' && blockNames.has(node.tagName);
}

function blocksOf(nodes: readonly Nodes[]): string {
  let out = '';
  let run: Nodes[] = [];
  const flush = () => {
    const words = run
      .map(inline)
      .join('')
      .replace(/\s*\n\s*/g, '\n')
      .trim();
    if (words !== '') out += `${words}\n\n`;
    run = [];
  };
  for (const node of nodes)
    if (isBlock(node)) {
      flush();
      out += block(node);
    } else run.push(node);
  flush();
  return out;
}

function block(node: Element): string {
  const inside = () => blocksOf(node.children);
  switch (node.tagName) {
    case 'h1':
    case 'h2': {
      const words = inline(node).trim();
      return `\n${words}\n${'='.repeat(Math.min([...words].length, 60))}\n\n`;
    }
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return `\n${inline(node).trim()}\n\n`;
    case 'hr':
      return '* * *\n\n';
    case 'pre':
      return `${prefixed(toString(node).trimEnd(), '    ')}\n\n`;
    case 'blockquote':
      return `${prefixed(inside().trim(), '> ')}\n\n`;
    case 'ul':
    case 'ol': {
      const items = node.children.filter((child): child is Element => child.type === 'element');
      const start = Number(node.properties.start ?? 1);
      return `${items
        .map((item, index) => {
          const mark = node.tagName === 'ol' ? `${start + index}. ` : '- ';
          const [first = '', ...rest] = blocksOf(item.children).trim().split('\n');
          return [mark + first, ...rest.map((line) => (line ? ' '.repeat(mark.length) + line : ''))].join(
            '\n',
          );
        })
        .join('\n')}\n\n`;
    }
    case 'tr': {
      const cells = node.children.filter((child) => child.type === 'element');
      return cells.length > 1
        ? `${cells.map((cell) => blocksOf(cell.children).trim().replace(/\s+/g, ' ')).join(' | ')}\n`
        : inside();
    }
    case 'table':
      return `${inside().trim()}\n\n`;
    default:
      return inside();
  }
}

function inline(node: Nodes): string {
  if (node.type === 'text') return node.value.replace(/\s+/g, ' ');
  if (node.type !== 'element') return '';
  if (node.tagName === 'br') return '\n';
  if (node.tagName === 'img') return node.properties.alt ? `[${String(node.properties.alt)}]` : '';
  if (node.tagName === 'sup') return `[${toString(node)}]`;
  const words = node.children.map(inline).join('');
  const { href } = node.properties;
  if (node.tagName !== 'a' || typeof href !== 'string' || words.trim() === '') return words;
  return words.trim() === href ? href : `${words} (${href})`;
}

function prefixed(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => (prefix + line).trimEnd())
    .join('\n');
}
