import type { Element, ElementContent, RootContent } from 'hast';
import { attribute, isBlank, isElement } from './nodes.ts';

/**
 * Writes a paragraph or heading of plain words, emphasis, code, links and pictures as Markdown, at a tenth of the
 * library's cost. Nearly every block of a post is one. Null for a block that could need escaping: the library writes
 * it.
 */
export function plainBlock(node: RootContent): string | null {
  if (!isElement(node)) return null;
  const level = node.tagName === 'p' ? 0 : Number(/^h([1-6])$/.exec(node.tagName)?.[1] ?? NaN);
  if (Number.isNaN(level)) return null;
  const line = new PlainLine();
  if (!line.addAll(node.children, 'block')) return null;
  const text = line.end();
  if (text === null || (level > 0 && text.includes('\n'))) return null;
  return level === 0 ? text : `${'#'.repeat(level)} ${text}`;
}

/** Characters that have a meaning in Markdown within a line. */
export const signs = /[\t\r\n!#&*<@[\\\]_`|~]|:(?:\/|$)|w\.(?:[-.\w]|$)/i;

const spaces = /[\t\n\f\r ]+/g;
const wordCharacter = /[\p{L}\p{N}]/u;
const plainAddress = /^[\w./:?=%+,;#-]+$/;
const marks: Partial<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*' };

/** What contains a node directly: the block itself, or an emphasis or link in it. */
type Parent = 'block' | 'inline';

/** Collects the inline content of one block. */
class PlainLine {
  /** In pieces: to look at the end of a text that grows would copy all of it. */
  private readonly pieces: string[] = [];
  /** True after white space, which is written before the next text. */
  private hasSpace = false;
  /** Set after an emphasis, by its last character: not every text may follow directly. */
  private endedOn = '';

  /** Adds nodes. Returns false when something could need escaping. */
  addAll(nodes: ElementContent[], parent: Parent): boolean {
    return nodes.every((node) => this.add(node, parent));
  }

  /** The complete line; null for an empty one. */
  end(): string | null {
    return this.isAtStart ? null : this.pieces.join('');
  }

  private add(node: ElementContent, parent: Parent): boolean {
    if (node.type === 'text') return this.addText(node.value);
    if (!isElement(node)) return false;
    const mark = marks[node.tagName];
    if (mark !== undefined) return parent === 'block' && this.addEmphasis(node, mark);
    switch (node.tagName) {
      case 'a':
        return parent === 'block' && this.addLink(node);
      case 'br':
        if (parent === 'inline' || this.isAtStart) return false;
        this.hasSpace = false;
        return this.write('\\\n');
      case 'code':
        return this.addCode(node);
      case 'img':
        return this.addPicture(node);
      default:
        return false;
    }
  }

  private addText(written: string): boolean {
    const value = written.replace(spaces, ' ');
    if (value === '') return true;
    const { isAtStart } = this;
    if (value.startsWith(' ')) this.hasSpace = !isAtStart;
    // Non-breaking spaces stay.
    const text = value.replace(/^ | $/g, '');
    if (text === '') return true;
    if (signs.test(text)) return false;
    // At the beginning of a line a number or a sign may begin a list or a rule.
    if (isAtStart && !/^\p{L}/u.test(text)) return false;
    // What follows a link or a picture could become part of it.
    if (!this.hasSpace && /[)\]`]/.test(this.last) && /^[({[:]/.test(text)) return false;
    if (!this.write(text)) return false;
    this.hasSpace = value.endsWith(' ');
    return true;
  }

  private addEmphasis(node: Element, mark: string): boolean {
    const before = this.hasSpace ? ' ' : this.last;
    // Leaves two marks in a row, or a mark inside a word, to the library.
    if (before === '*' || wordCharacter.test(before)) return false;
    if (node.children.length === 0 || !this.write(mark)) return false;
    const start = this.pieces.length;
    if (!this.addAll(node.children, 'inline') || this.hasSpace) return false;
    const inner = this.pieces.slice(start).join('');
    if (!/^[\p{L}\p{N}]/u.test(inner) || !/[\p{L}\p{N}.,;:?)»”’%]$/u.test(inner) || inner.includes('\n'))
      return false;
    this.pieces.push(mark);
    this.endedOn = wordCharacter.test(inner.at(-1)!) ? 'word' : 'sign';
    return true;
  }

  private addLink(node: Element): boolean {
    const [href, title] = [attribute(node, 'href'), attribute(node, 'title')];
    if (title !== '' || !plainAddress.test(href) || node.children.length === 0) return false;
    if (!this.write('[')) return false;
    const start = this.pieces.length;
    // Leaves a picture in a link, and a link that shows its own address, to the library.
    if (node.children.some((child) => isElement(child, 'img', 'br')) || !this.addAll(node.children, 'inline'))
      return false;
    const inner = this.pieces.slice(start).join('');
    if (this.hasSpace || inner === '' || /^ |\n/.test(inner)) return false;
    this.pieces.push(`](${href})`);
    return true;
  }

  private addCode(node: Element): boolean {
    const [only, ...others] = node.children;
    if (only?.type !== 'text' || others.length > 0) return false;
    const { value } = only;
    if (value === '' || /^\s|\s$|[`\n\r\t]| {2}/.test(value)) return false;
    return this.write(`\`${value}\``);
  }

  private addPicture(node: Element): boolean {
    const [src, alt, title] = ['src', 'alt', 'title'].map((name) => attribute(node, name));
    if (title !== '' || !plainAddress.test(src!) || signs.test(alt!) || /\s{2}/.test(alt!)) return false;
    return this.write(`![${alt}](${src})`);
  }

  /** True at the beginning of a line. */
  private get isAtStart(): boolean {
    return this.last === '' || this.last === '\n';
  }

  /** The last character; empty before the first. */
  private get last(): string {
    return this.pieces.at(-1)?.at(-1) ?? '';
  }

  private write(piece: string): boolean {
    const space = this.hasSpace ? ' ' : '';
    if (this.endedOn === 'sign' && space === '' && !/^[.,;:)]/.test(piece)) return false;
    if (this.endedOn !== '' && space === '' && piece.startsWith('*')) return false;
    this.pieces.push(space + piece);
    [this.hasSpace, this.endedOn] = [false, ''];
    return true;
  }
}

/** Each plain block as its text, and the runs of other blocks between them. */
export function groupPlainBlocks(nodes: RootContent[]): (string | RootContent[])[] {
  const stretches: (string | RootContent[])[] = [];
  for (const node of nodes) {
    const plain = plainBlock(node);
    const last = stretches.at(-1);
    if (plain !== null) stretches.push(plain);
    else if (Array.isArray(last)) last.push(node);
    else if (!isBlank(node)) stretches.push([node]);
  }
  return stretches;
}
