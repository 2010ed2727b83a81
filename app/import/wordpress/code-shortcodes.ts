import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { attributesOf } from './shortcode-attributes.ts';

/** Shortcodes of SyntaxHighlighter, Crayon and others whose name is the language. */
const languages =
  'actionscript3|as3|bash|c|clojure|coldfusion|cpp|csharp|css|delphi|diff|erlang|fsharp|go|groovy|html|java|javafx|javascript|js|' +
  'json|kotlin|latex|matlab|objc|perl|php|plain|powershell|ps|python|py|r|rails|ruby|rust|scala|shell|sql|swift|tex|ts|typescript|' +
  'vb|vbnet|xhtml|xml|yaml';
const generic =
  'code|sourcecode|source|highlight|crayon|enlighter|prism|prismatic|pastacode|codesyntax|syntax';
/** CodeColorer: `[cc lang="php"]`, `[cce_php]`, and `[cci]` inside a line. */
const codeColorer = String.raw`ccie?[nlbwe]*(?:_[a-z]\w*)?|cc[nlbwe]*(?:_[a-z]\w*)?`;
const codeName = new RegExp(`^(?:${generic}|${languages}|${codeColorer})$`, 'i');
/** Shortcodes that hold text for people. */
const textName =
  /^(?:wp_)?(?:caption|gallery|embed|video|audio|playlist|quote|blockquote|footnote|fn|mfn|efn_note)$/i;

const opening = /<pre[\s>]|<code[\s>]|\[([a-z][\w-]*)(\s[^[\]]*)?\]/gi;
/** How many unknown shortcodes of a text are examined. */
const EXAMINED_MAX = 1_000;

/**
 * Shortcodes of code highlighters as `pre` elements. An unknown shortcode is code too when it encloses lines that
 * look like code. What is in `pre` and `code` is left alone.
 */
export function expandCodeShortcodes(html: string): string {
  if (!html.includes('[/') && !/<pre\s[^<>]*lang\s*=/i.test(html)) return html;
  // An opening shortcode that is never closed is text.
  const closed = new Map<string, number>();
  for (const { 1: name, index } of html.matchAll(/\[\/([a-z][\w-]*)\s*\]/gi))
    closed.set(name!.toLowerCase(), index);
  const lower = html.toLowerCase();
  let examined = 0;
  const isUnknownCode = (mark: RegExpExecArray, name: string): boolean => {
    examined += 1;
    if (examined > EXAMINED_MAX || textName.test(name)) return false;
    const end = lower.indexOf(`[/${name.toLowerCase()}`, mark.index);
    return looksLikeCode(html.slice(mark.index + mark[0].length, end));
  };
  // `[latex]x^2[/latex]` in a line is a formula. As the name of a language it stands above lines of code.
  const isFormula = (mark: RegExpExecArray, name: string): boolean => {
    if (name.toLowerCase() !== 'latex') return false;
    const end = html.indexOf('\n', mark.index);
    return end < 0 || end > lower.indexOf('[/latex', mark.index);
  };
  return replacePairs(
    html,
    opening,
    (mark) => {
      const [whole, name] = mark;
      if (name === undefined) return new RegExp(`</${whole.slice(1, -1)}>`, 'gi');
      const isClosed = (closed.get(name.toLowerCase()) ?? -1) > mark.index;
      const isCode = isClosed && !isFormula(mark, name) && (codeName.test(name) || isUnknownCode(mark, name));
      return isCode ? new RegExp(String.raw`\[/${name}\s*\]`, 'gi') : never;
    },
    ([whole, name, attributes], inner, [end]) =>
      name === undefined
        ? whole + codeOfWpSyntax(whole, inner) + end
        : codeHtml(name.toLowerCase(), attributes ?? '', inner),
  );
}

const never = /(?!)/g;

/** The rest of a `pre` with its signs as entities where it is one of WP-Syntax, which are typed as they are. */
function codeOfWpSyntax(opening: string, inner: string): string {
  const [, attributes, code] = /^([^>]*>)([\s\S]*)$/.exec(inner) ?? [];
  const language = /\blang\s*=\s*["']?([\w+#-]+)/i.exec(attributes ?? '')?.[1] ?? '';
  // `lang` may also name a language that people speak, such as `de` or `en-US`.
  const isCode = codeName.test(language) || (language.length > 3 && !/^[a-z]{2,3}-/i.test(language));
  const isTyped = /^<pre/i.test(opening) && isCode && !/\bescaped\s*=\s*["']?true/i.test(attributes!);
  return isTyped ? `${attributes}${escapedCode(code!)}` : inner;
}

function codeHtml(name: string, written: string, inner: string): string {
  const attributes = attributesOf(written);
  const suffix = /^cc\w*?_(\w+)$/.exec(name)?.[1];
  const named = new RegExp(`^(?:${languages})$`).test(name) ? name : '';
  const language = (
    attributes.language ??
    attributes.lang ??
    attributes.provider ??
    suffix ??
    named
  ).toLowerCase();
  const code = escapedCode(inner);
  if (name.startsWith('cci') && !code.includes('\n')) return `<code>${code.trim()}</code>`;
  const clean = language.replace(/[^\w+#.-]/g, '');
  const notes = [
    ['data-title', attributes.title ?? attributes.filename],
    ['data-lines', attributes.highlight ?? attributes.mark],
  ].map(([key, value]) => (value === undefined ? '' : ` ${key}="${value.replaceAll('"', '&quot;')}"`));
  return `<pre${notes.join('')}><code class="language-${clean === '' || clean === 'plain' ? 'text' : clean}">${code}</code></pre>`;
}

/** The code as HTML. WordPress may have wrapped it in a `pre`, its lines in `<p>` and `<br>`, and its signs in entities. */
function escapedCode(inner: string): string {
  const inPre = /^\s*<pre[^>]*>([\s\S]*)<\/pre>\s*$/i.exec(inner)?.[1] ?? inner;
  const withoutTags = inPre.replace(/<br\s*\/?>\n?|<\/p>\s*<p>|<\/?p>/gi, (tag) =>
    /^<br/i.test(tag) ? '\n' : '',
  );
  // In a text with entities, every tag is from WordPress.
  const isHtml = /&(?:lt|gt|quot);/.test(inPre) && !/<(?!br|\/?p>)/i.test(inPre);
  return (isHtml ? withoutTags : inPre)
    .replace(/^[ \t]*\r?\n/, '')
    .trimEnd()
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const codeLine =
  /[;{}]\s*$|^\s*(?:[$#@]\w|\/\/|\/\*|\*\/|<\?php|<!DOCTYPE|import\s|from\s+\S+\s+import\b|def\s|class\s\w+|function\b|return\b|public\s|private\s|var\s|let\s|const\s|if\s*\(|for\s*\(|while\s*\(|else\b|#include|SELECT\s|INSERT\s|UPDATE\s|sudo\s|npm\s|apt(?:-get)?\s|git\s|cd\s)|^\s*[\w.$>\-[\]'"]+\s*(?:=|\+=|=>|:=)\s*\S|^\s*[\w.:]+\([^)]*\)\s*$/i;

/** True for two lines or more, mostly of code, without a block of HTML. */
function looksLikeCode(text: string): boolean {
  if (text.length > 100_000 || /<(?:p|div|h[1-6]|ul|ol|table|figure|img|blockquote|!-- wp:)[\s>]/i.test(text))
    return false;
  const plain = text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
  const lines = plain.split('\n').filter((line) => line.trim() !== '');
  return lines.length >= 2 && lines.filter((line) => codeLine.test(line)).length >= lines.length * 0.6;
}
