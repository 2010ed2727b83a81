import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from 'parse5';

/** Open tags at a time that a text may need. */
export const MAX_DEPTH = 300;
const MAX_ELEMENTS = 3_000_000;

/**
 * True when a browser's parser would need a very deep or very large tree for this HTML. Unclosed
 * formatting tags are repeated in every following paragraph, so a thousand of them before a thousand
 * paragraphs make a million elements; other unclosed tags nest.
 */
export function isTooComplex(html: string): boolean {
  // A few tags cannot make a large tree. Most posts have no more.
  if (countTags(html) < 1_000) return false;
  const counter = new OpenTagCounter();
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, counter);
  counter.enter = (mode) => (tokenizer.state = mode);
  tokenizer.write(html, true);
  return counter.deepest > MAX_DEPTH || counter.deepest * counter.tags > MAX_ELEMENTS;
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count += 1;
  return count;
}

// Elements that end where the next one begins, or that are always empty.
const selfEnding = new Set(
  'p li dd dt tr td th thead tbody tfoot option optgroup rt rp colgroup area base br col embed hr img input link meta source track wbr param'.split(
    ' ',
  ),
);
const textOnly = new Map<string, number>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ...['title', 'textarea'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
]);

class OpenTagCounter implements TokenHandler {
  tags = 0;
  deepest = 0;
  enter: (mode: (typeof TokenizerMode)[keyof typeof TokenizerMode]) => void = () => {};
  private open = new Map<string, number>();
  private depth = 0;

  onStartTag({ tagName }: Token.TagToken): void {
    this.tags += 1;
    const mode = textOnly.get(tagName);
    if (mode !== undefined) this.enter(mode);
    if (selfEnding.has(tagName)) return;
    this.open.set(tagName, (this.open.get(tagName) ?? 0) + 1);
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    const count = this.open.get(tagName) ?? 0;
    if (count === 0) return;
    this.open.set(tagName, count - 1);
    this.depth -= 1;
  }

  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
  onCharacter(): void {}
  onNullCharacter(): void {}
  onWhitespaceCharacter(): void {}
}
