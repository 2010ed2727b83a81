import type { Parents } from 'hast';
import { toHtmlLine } from '#app/import/html/cards.ts';
import { serviceAddress, youTubeAddress } from '#app/import/html/media-address.ts';
import { isElement, textNode } from '#app/import/html/nodes.ts';
import { Verbatim } from '#app/import/html/verbatim.ts';
import { isImageName } from '#app/import/media/library-names.ts';
import { escapeAttribute } from '#app/platform/text/html.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import type { Attachment, Attachments } from './attachments.ts';

/** The attributes of a shortcode, by their names in lower case; signs may be as entities. */
function attributesOf(written: string): Record<string, string> {
  const plain = written.replace(/&(?:quot|#8220|#8221|#8243);/g, '"');
  const pairs = [...plain.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g)];
  return Object.fromEntries(pairs.map(([, name, a, b, c]) => [name!.toLowerCase(), a ?? b ?? c ?? '']));
}

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
function expandCodeShortcodes(html: string): string {
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

const services =
  /\[(youtube|vimeo|dailymotion|soundcloud|spotify|ted|gist|tweet|instagram|flickr|wpvideo|videopress)([\s=][^[\]]*)?\]/gi;

const codeOpening = /<(pre|code)[\s>]/gi;

/**
 * Replaces the shortcodes of WordPress itself, of WordPress.com and of highlighters by HTML: captions, galleries, embeds,
 * players, code.
 * @param postId the post's id in WordPress. A gallery that names no pictures shows those of this post.
 */
export function expandShortcodes(html: string, attachments: Attachments, postId: string): string {
  const verbatim = new Verbatim();
  const withoutCode = replacePairs(
    expandCodeShortcodes(verbatim.without(html)),
    codeOpening,
    ([, name]) => new RegExp(`</${name}>`, 'gi'),
    ([open], inner, [close]) => verbatim.add(open + inner + close),
  );
  return verbatim.restore(expand(withoutCode, attachments, postId));
}

const captions = /\[(wp_caption|caption)(\s[^[\]]*)?\]/gi;

function expand(html: string, attachments: Attachments, postId: string): string {
  if (!html.includes('[')) return html;
  return (
    replacePairs(
      expandServices(html),
      captions,
      ([, name]) => new RegExp(String.raw`\[/${name}\]`, 'gi'),
      ([, , attributes], inner) => figureOf(inner, attributes ?? ''),
    )
      .replace(/\[embed(?:\s[^[\]]*)?\]\s*(https?:\/\/[^\s<[]+)\s*\[\/embed\]/gi, '\n\n$1\n\n')
      .replace(
        /\[(video|audio)(\s[^[\]]*)\](?:\s*\[\/\1\])?/gi,
        (whole: string, kind: string, attributes: string) => {
          // `[audio https://x.example/a.mp3|titles=A]` was the form of WordPress.com.
          const bare = /^\s+(https?:\/\/[^\s|]+)/.exec(attributes)?.[1];
          const address =
            bare ??
            Object.values(attributesOf(attributes)).find((value) => /^(https?:)?\/\S+\.\w+/.test(value));
          return address === undefined
            ? whole
            : `\n\n<${kind.toLowerCase()} src="${escapeAttribute(address)}"></${kind.toLowerCase()}>\n\n`;
        },
      )
      // A formula, as `$latex x$`. On several lines it is code, and is so by now.
      .replace(/\[latex(?:\s[^[\]]*)?\]([^$\n]{1,2000}?)\[\/latex\]/gi, '$$latex $1$$')
      .replace(/\[gallery(\s[^[\]]*)?\]/gi, (whole: string, attributes: string | undefined) => {
        const pictures = picturesOf(attributesOf(attributes ?? ''), attachments, postId);
        return pictures.length === 0
          ? whole
          : `\n\n<figure>${pictures.map(pictureHtml).join('')}</figure>\n\n`;
      })
  );
}

/** A figure of the picture in a caption's content, and the caption. The picture may be in a link, paragraph or figure. */
function figureOf(content: string, attributes: string): string {
  const bare = content.replace(/^(?:\s|<br\s*\/?>|<\/?(?:p|div|figure)(?:\s[^<>]*)?>)+/i, '');
  const [, picture, rest] = /^((?:<a[\s>][\s\S]*?<\/a>|<img[^<>]*>))([\s\S]*)$/i.exec(bare) ?? [];
  if (picture === undefined) return content;
  const written = rest!
    .replace(/<\/?(?:p|div|figure|figcaption)(?:\s[^<>]*)?>/gi, ' ')
    .replace(/<br\s*\/?>/gi, ' ');
  const caption = written.trim() || toHtmlLine(attributesOf(attributes).caption ?? '');
  return `\n\n<figure>${picture}<figcaption>${caption}</figcaption></figure>\n\n`;
}

/** The pictures that a gallery names by id, else those of its post. */
function picturesOf(
  attributes: Record<string, string>,
  attachments: Attachments,
  postId: string,
): Attachment[] {
  const listOf = (name: string) => attributes[name]?.split(',').map((id) => id.trim());
  const named = listOf('ids') ?? listOf('include');
  if (named) return named.flatMap((id) => attachments.get(id) ?? []);
  const excluded = listOf('exclude') ?? [];
  return attachments
    .of(attributes.id ?? postId)
    .filter(({ id, url }) => !excluded.includes(id) && isImageName(url));
}

function pictureHtml({ url, alt, caption }: Attachment): string {
  const image = `<img src="${escapeAttribute(url)}" alt="${escapeAttribute(alt)}">`;
  return `<figure>${image}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

const shortcode = /\[\/?([a-z][\w-]*)((?:\s[^[\]]*)?)(\/?)\]/gi;

/**
 * Keeps the shortcodes of plug-ins, which nothing here can expand, as they were typed, except in code.
 * @returns their names, each once
 */
export function keepShortcodes(tree: Parents, verbatim: Verbatim): string[] {
  const names = new Set<string>();
  const keepInside = (parent: Parents): void => {
    for (const [index, node] of parent.children.entries()) {
      if (isElement(node) && !['pre', 'code'].includes(node.tagName)) keepInside(node);
      if (node.type !== 'text' || !node.value.includes('[')) continue;
      const isAlone = parent.children.length === 1 && shortcodeAlone.test(node.value);
      const text = node.value;
      const closed = new Set([...text.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name]) => name));
      parent.children[index] = textNode(
        text.replace(shortcode, (whole: string, name: string, attributes: string, slash: string) => {
          const isShortcode =
            isAlone || attributes.includes('=') || slash !== '' || /[_-]/.test(name) || closed.has(name);
          if (!isShortcode) return whole;
          names.add(name);
          return verbatim.add(whole);
        }),
      );
    }
  };
  keepInside(tree);
  return [...names];
}

// A word in brackets may be ordinary text (“[sic]”). When it is the whole paragraph, it is a shortcode.
const shortcodeAlone = /^\s*\[[a-z][\w-]*\]\s*$/i;

/** Replaces shortcodes of WordPress.com and Jetpack by addresses in separate paragraphs, which are embeds. */
function expandServices(html: string): string {
  return html.replace(services, (whole: string, name: string, written = '') => {
    const address = addressOf(name.toLowerCase(), written as string);
    return address === null ? whole : `\n\n${address.replaceAll('&', '&amp;')}\n\n`;
  });
}

/** @param written what follows the name: `=https://…`, ` 123 w=640`, ` url="…"` */
function addressOf(name: string, written: string): string | null {
  const text = written.replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const [url] = /https?:\/\/[^\s"'<\]]+/.exec(text) ?? [];
  const film = /(?:[?&]v=|youtu\.be\/|\/embed\/)([\w-]{6,})/.exec(url ?? '')?.[1];
  if (name === 'youtube' && film !== undefined) return youTubeAddress(film);
  // What follows the first `&` are the player's settings.
  if (url !== undefined) return name === 'vimeo' ? url.replace(/&.*/, '') : url;
  const named = attributesOf(text);
  const [first = ''] = /^[\s=]*([\w-]+)(?=[\s&]|$)/.exec(text)?.slice(1) ?? [];
  const id = named.id ?? first;
  if (id === '') return null;
  if (name === 'dailymotion') return `https://www.dailymotion.com/video/${id}`;
  if (name === 'wpvideo' || name === 'videopress') return `https://videopress.com/v/${id}`;
  return serviceAddress(name, { named, plain: [id] });
}
