import MarkdownIt, { type Env, type MarkdownIt as Parser, type Token } from 'markdown-it';
import { callouts } from './callouts.ts';
import { joinedEmphasis } from './emphasis.ts';
import { fences } from './fences.ts';
import { figures, markedLinks } from './figures.ts';
import { linearFootnotes, gfm } from './gfm.ts';
import { isTooComplex, MAX_DEPTH } from './limits.ts';
import { maths } from './math.ts';
import { typography } from './typography.ts';

/** HTML that exceeds the text by this factor and by this many characters comes from a hostile text. */
const GROWTH_MAX = 10;
const FREE_CHARACTERS = 200_000;

export interface ParseOptions {
  /** BCP 47: built-in words in the text follow it. */
  language?: string;
  /** Uses the quotation marks and dashes of the language. */
  smartTypography?: boolean;
}

/**
 * Renders CommonMark and GFM to HTML, raw HTML included: unsafe until it is sanitised. Null when a short input would
 * take long (references that repeat a long address, rows that fill a wide table, thousands of unclosed tags).
 */
export function markdownToHtml(markdown: string, options: ParseOptions = {}): string | null {
  const { language = 'en', smartTypography = false } = options;
  const env: Env = { language };
  const parser = smartTypography ? typographicParser(language) : plainParser;
  const tokens = parser.parse(markdown, env);
  const most = GROWTH_MAX * markdown.length + FREE_CHARACTERS;
  const size = measure(tokens);
  if (size.weight > most) return null;
  const html = showUnclosed(parser.renderer.render(tokens, parser.options, env));
  // Without raw HTML every tag is closed, so a text is no deeper than its tokens.
  const isPlain = !size.hasHtml && size.deepest <= MAX_DEPTH;
  return html.length > most || (!isPlain && isTooComplex(html)) ? null : html;
}

/** The code blocks of a text: first line and the line after the last, counted from 0. */
export function codeLines(markdown: string): [from: number, to: number][] {
  return blockParser
    .parse(markdown, {})
    .filter(({ type, map }) => map && (type === 'fence' || type === 'code_block'))
    .map(({ map }) => map!);
}

const plainParser = createParser();
/** Finds blocks only, in half the time of a whole parse. */
const blockParser = createParser();
blockParser.core.ruler.enableOnly(['normalize', 'block']);
const typographicParsers = new Map<string, Parser>();

function typographicParser(language: string): Parser {
  let parser = typographicParsers.get(language);
  if (!parser) typographicParsers.set(language, (parser = createParser().use(typography(language))));
  return parser;
}

function createParser(): Parser {
  const created = new MarkdownIt({ html: true, linkify: true, langPrefix: 'language-' });
  created
    .use(linearFootnotes)
    .use(gfm)
    .use(joinedEmphasis)
    .use(figures)
    .use(markedLinks)
    .use(callouts)
    .use(fences)
    .use(maths);
  // The sanitiser removes unsafe schemes. The text of a link stays as typed.
  created.validateLink = () => true;
  created.normalizeLinkText = (text) => text;
  return created;
}

const textOnly = 'title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext';

/**
 * Shows the tag of an element as text, as GFM does, when it is not closed and its content is not parsed as markup (“the
 * <title> tag”): it would hide the rest of the post. Code is already escaped, so it never matches.
 */
function showUnclosed(html: string): string {
  const lastEnd = new Map<string, number>();
  for (const match of html.matchAll(new RegExp(`</(${textOnly})[\\s/>]`, 'gi')))
    lastEnd.set(match[1]!.toLowerCase(), match.index);
  return html.replace(new RegExp(`<(${textOnly})(?=[\\s/>])`, 'gi'), (tag, name: string, index: number) =>
    index < (lastEnd.get(name.toLowerCase()) ?? -1) ? tag : `&lt;${name}`,
  );
}

interface Size {
  /** Characters, including each repetition of an address. */
  weight: number;
  /** Tags that are open at a time. */
  deepest: number;
  hasHtml: boolean;
}

function measure(
  tokens: Token[],
  size: Size = { weight: 0, deepest: 0, hasHtml: false },
  outerDepth = 0,
): Size {
  let depth = outerDepth;
  for (const token of tokens) {
    depth += token.nesting;
    size.deepest = Math.max(size.deepest, depth);
    size.hasHtml ||= token.type === 'html_block' || token.type === 'html_inline';
    size.weight += token.content.length;
    for (const [, value] of token.attrs ?? []) size.weight += String(value).length;
    if (token.children) measure(token.children, size, depth);
  }
  return size;
}
