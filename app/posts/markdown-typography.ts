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
      for (const token of state.tokens) if (token.children) setInline(token.children, marks, primary);
    });
  };
}

const codeElement = /^<(code|kbd|samp|pre|tt|var|script|style)\b/i;

/** Changes the texts of one paragraph, except autolinks and code. */
function setInline(children: Token[], marks: Quotes, language: string): void {
  const pieces: { token: Token; at: number }[] = [];
  let whole = '';
  let isCode = false;
  let isAddress = false;
  for (const token of children) {
    if (token.type === 'html_inline')
      isCode = codeElement.test(token.content) || (isCode && !/^<\//.test(token.content));
    if (token.type === 'link_open') isAddress = token.info === 'auto';
    if (token.type === 'link_close') isAddress = false;
    if (token.type === 'text' && !isCode && !isAddress) {
      token.content = withDashes(token.content, language);
      pieces.push({ token, at: whole.length });
      whole += token.content;
    } else if (/^(soft|hard)break$/.test(token.type)) whole += ' ';
    else if (['text', 'code_inline', 'image', 'math_inline'].includes(token.type)) whole += 'x';
  }
  if (!/["']/.test(whole)) return;
  const changes = quotationMarks(whole, marks);
  for (const { token, at } of pieces) {
    if (!/["']/.test(token.content)) continue;
    token.content = token.content.replace(/["']/g, (mark, index: number) => changes.get(at + index) ?? mark);
  }
}

const dash: [RegExp, string][] = [
  [/(?<=^|\s)---(?=\s|$)|(?<=[\p{L}\p{N}])---(?=[\p{L}\p{N}])/gu, '—'],
  [/(?<=^|\s)--(?=\s|$)|(?<=[\p{L}\p{N}])--(?=[\p{L}\p{N}])/gu, '–'],
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

function withDashes(text: string, language: string): string {
  let result = text;
  for (const [pattern, by] of [...dash, ...(spaces[language] ?? [])]) result = result.replace(pattern, by);
  return result;
}

const beforeOpening = /[\s([{–—/«„“‚‘‹「]/;
const word = /[\p{L}\p{N}]/u;

/** The replacement of each straight mark, by its position. A mark without a partner stays unless it is an apostrophe. */
function quotationMarks(text: string, [open, close, innerOpen, innerClose]: Quotes): Map<number, string> {
  const changes = new Map<number, string>();
  const unclosed: Record<string, number[]> = { '"': [], "'": [] };
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index]!;
    if (mark !== '"' && mark !== "'") continue;
    const before = text[index - 1] ?? ' ';
    const after = text[index + 1] ?? ' ';
    const opened = unclosed[mark]!;
    const isDouble = mark === '"';
    const followsMark = before === '"' || before === "'";
    const mayOpen = followsMark ? unclosed[before]!.at(-1) === index - 1 : beforeOpening.test(before);
    if (mayOpen && !/\s/.test(after)) {
      // For ’90s and ’tis: a mark without a partner is an apostrophe.
      if (!isDouble) changes.set(index, '’');
      opened.push(index);
    } else if (!isDouble && word.test(before) && word.test(after)) changes.set(index, '’');
    else if (opened.length > 0 && !/\s/.test(before)) {
      changes.set(opened.pop()!, isDouble ? open : innerOpen);
      changes.set(index, isDouble ? close : innerClose);
    } else if (!isDouble && !/\s/.test(before)) changes.set(index, '’');
  }
  return changes;
}
