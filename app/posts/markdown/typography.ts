import type { MarkdownIt, Token } from 'markdown-it';

/** Outer and inner quotation marks. */
type Quotes = readonly [open: string, close: string, innerOpen: string, innerClose: string];

const english: Quotes = ['“', '”', '‘', '’'];
const spaced: Quotes = ['«\u00a0', '\u00a0»', '‹\u00a0', '\u00a0›'];
const corners: Quotes = ['「', '」', '『', '』'];
const quotes: Record<string, Quotes> = {
  de: ['„', '“', '‚', '‘'],
  'de-CH': ['«', '»', '‹', '›'],
  'de-LI': ['«', '»', '‹', '›'],
  fr: spaced,
  'fr-CH': ['«\u202f', '\u202f»', '‹\u202f', '\u202f›'],
  es: ['«', '»', '“', '”'],
  it: ['«', '»', '“', '”'],
  pl: ['„', '”', '«', '»'],
  ja: corners,
  'zh-Hant': corners,
  'zh-TW': corners,
  'zh-HK': corners,
};

/**
 * Replaces straight quotation marks, double hyphens and three periods with the characters of the language, and puts
 * non-breaking spaces where the language has them.
 */
export function typography(language: string): (parser: MarkdownIt) => void {
  const primary = language.split('-')[0]!;
  const marks = quotes[language] ?? quotes[primary] ?? english;
  return (parser) => {
    parser.core.ruler.after('inline', 'typography', (state) => {
      const paragraphs: (() => void)[] = [];
      let open: OpenMark | undefined;
      for (const [index, token] of state.tokens.entries()) {
        // A quotation may go on in the next paragraph.
        const isInParagraph = state.tokens[index - 1]?.type === 'paragraph_open';
        if (!/^paragraph_/.test(token.type) && !(isInParagraph && token.children)) open = undefined;
        if (!token.children) continue;
        const paragraph = setInline(token.children, { marks, language: primary, open });
        open = paragraph.open;
        paragraphs.push(paragraph.setMarks);
      }
      for (const setMarks of paragraphs) setMarks();
    });
  };
}

const codeElement = /^<(code|kbd|samp|pre|tt|var|script|style)\b/i;

/** A text of a paragraph and its position in the whole. */
interface Piece {
  token: Token;
  at: number;
}

/** A quotation mark without its partner. */
interface OpenMark {
  /** -1 for one of an earlier paragraph. */
  index: number;
  /** Makes it an opening mark. */
  open: () => void;
}

/**
 * Changes the texts of one paragraph, except autolinks and code. Its quotation marks change with `setMarks`, since those
 * of later paragraphs may belong to them.
 * @param options.open the double mark of earlier paragraphs that is open
 * @returns the one that is open after it, too
 */
function setInline(
  children: Token[],
  { marks, language, open }: { marks: Quotes; language: string; open: OpenMark | undefined },
): { open: OpenMark | undefined; setMarks: () => void } {
  const texts = new Set(textsIn(children));
  for (const [pattern, by] of [...dash, ...(spaces[language] ?? [])]) replaceIn(children, texts, pattern, by);
  const { whole, pieces } = joined(children, texts);
  const changes = new Map<number, string>();
  const after = quotationMarks(whole, marks, { changes, earlier: open });
  const setMarks = () => {
    if (changes.size === 0) return;
    for (const { token, at } of pieces)
      token.content = token.content.replace(
        /["']/g,
        (mark, index: number) => changes.get(at + index) ?? mark,
      );
  };
  return { open: after && { ...after, index: -1 }, setMarks };
}

/** The texts of a paragraph that are changed. */
function textsIn(children: Token[]): Token[] {
  const texts: Token[] = [];
  let isCode = false;
  let isAddress = false;
  for (const token of children) {
    if (token.type === 'html_inline')
      isCode = codeElement.test(token.content) || (isCode && !/^<\//.test(token.content));
    if (token.type === 'link_open') isAddress = token.info === 'auto';
    if (token.type === 'link_close') isAddress = false;
    if (token.type === 'text' && !isCode && !isAddress) texts.push(token);
  }
  return texts;
}

/** The paragraph as one text, in which a letter stands for code, pictures and addresses. */
function joined(children: Token[], texts: ReadonlySet<Token>): { whole: string; pieces: Piece[] } {
  const pieces: Piece[] = [];
  let whole = '';
  for (const token of children) {
    if (texts.has(token)) {
      pieces.push({ token, at: whole.length });
      whole += token.content;
    } else if (/^(soft|hard)break$/.test(token.type)) whole += ' ';
    else if (['text', 'code_inline', 'image', 'math_inline'].includes(token.type)) whole += 'x';
  }
  return { whole, pieces };
}

/** Replaces what a pattern finds in the whole paragraph, so that it sees over the ends of emphasis and links. */
function replaceIn(children: Token[], texts: ReadonlySet<Token>, pattern: RegExp, by: string): void {
  const { whole, pieces } = joined(children, texts);
  const found = [...whole.matchAll(pattern)];
  let next = 0;
  for (const { token, at } of pieces) {
    const end = at + token.content.length;
    let result = '';
    let from = at;
    for (; next < found.length && found[next]!.index < end; next += 1) {
      const [match] = found[next]!;
      const start = found[next]!.index;
      if (start < from || start + match.length > end) continue;
      result +=
        whole.slice(from, start) + by.replace(/\$(\d)/g, (_, group: string) => found[next]![Number(group)]!);
      from = start + match.length;
    }
    if (from > at) token.content = result + whole.slice(from, end);
  }
}

// Between words, which may be in quotation marks: not the two hyphens of an option such as `--help`.
const wordBefore = `(?<=[\\p{L}\\p{N}.,!?…)\\]%]["'”’»›“‘」』]?)`;
const wordAfter = `(?=["'“‘«‹„‚「『(\\[]?[\\p{L}\\p{N}])`;
const dash: [RegExp, string][] = [
  [new RegExp(`(?<=^|\\s)---(?=\\s|$)|${wordBefore}---${wordAfter}`, 'gu'), '—'],
  [new RegExp(`(?<=^|\\s)--(?=\\s|$)|${wordBefore}--${wordAfter}`, 'gu'), '–'],
  [/(?<!\.)\.\.\.(?!\.)/g, '…'],
];
const spaces: Record<string, [RegExp, string][]> = {
  fr: [
    [/(?<=\S) (?=[;!?]+(?:[\s"»)]|$))/g, '\u202f'],
    [/(?<=\S) (?=[:»](?:[\s")]|$))/g, '\u00a0'],
    [/(?<=«) /g, '\u00a0'],
  ],
  de: [
    [/\b([zudios])\. ?([BahÄouU])\.(?=\s|$)/g, '$1.\u202f$2.'],
    [/§ (?=\d)/g, '§\u00a0'],
  ],
};

const beforeOpening = /[\s([{–—/«„“‚‘‹「]/;
const word = /[\p{L}\p{N}]/u;

/** After these a mark opens before a word, if none is open: `…"end"`, `pre-"war"`. */
const beforeEither = /[-…:]/;
/** Shortened words and years. Their mark is an apostrophe, whatever follows: rock ’n’ roll, the ’90s, ’tis. */
const shortened = /^'(?:\d0s|tis|twas|twere|til|em|cause)(?![\p{L}\p{N}'])/iu;
const LONGEST_SHORTENED = "'twere".length + 1;

/**
 * Collects the replacement of each straight mark, by its position. A mark without a partner stays unless it is an
 * apostrophe.
 * @returns the last double mark that is still open
 */
function quotationMarks(
  text: string,
  [open, close, innerOpen, innerClose]: Quotes,
  { changes, earlier }: { changes: Map<number, string>; earlier: OpenMark | undefined },
): OpenMark | undefined {
  const unclosed: Record<string, OpenMark[]> = { '"': earlier ? [earlier] : [], "'": [] };
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index]!;
    if (mark !== '"' && mark !== "'") continue;
    const before = text[index - 1] ?? ' ';
    const after = text[index + 1] ?? ' ';
    const opened = unclosed[mark]!;
    const isDouble = mark === '"';
    const isShort =
      !isDouble && !word.test(before) && shortened.test(text.slice(index, index + LONGEST_SHORTENED));
    const isAnd =
      !isDouble && /^'n'\s?$/i.test(text.slice(index, index + 4)) && /\s/.test(before) && index > 0;
    if (isShort || isAnd) {
      changes.set(index, '’');
      if (!isAnd) continue;
      changes.set(index + 2, '’');
      index += 2;
      continue;
    }
    const followsMark = before === '"' || before === "'";
    const mayOpen = followsMark
      ? unclosed[before]!.at(-1)?.index === index - 1
      : beforeOpening.test(before) || (beforeEither.test(before) && word.test(after) && opened.length === 0);
    if (mayOpen && !/\s/.test(after)) {
      // For ’99: a mark without a partner is an apostrophe.
      if (!isDouble) changes.set(index, '’');
      // Each paragraph of a long quotation begins with a mark, and the last one ends with one.
      if (isDouble && index === 0) for (const { open: continued } of opened.splice(0)) continued();
      opened.push({ index, open: () => changes.set(index, isDouble ? open : innerOpen) });
    } else if (!isDouble && word.test(before) && word.test(after)) changes.set(index, '’');
    else if (opened.length > 0 && !/\s/.test(before) && !(opened.at(-1)!.index < 0 && /\d/.test(before))) {
      opened.pop()!.open();
      changes.set(index, isDouble ? close : innerClose);
    } else if (!isDouble && !/\s/.test(before)) changes.set(index, '’');
  }
  return unclosed['"']!.at(-1);
}
