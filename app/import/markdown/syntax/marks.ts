import { calloutKind, calloutMark, calloutOf } from '#app/import/html/callouts.ts';
import { postLink } from '#app/import/markdown/dialects/dialects.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { codeRanges } from '#app/posts/markdown/addresses.ts';
import { detailsOf, type TransformContext, pictureOf } from './tag-values.ts';

/** Kramdown writes formulas inside a line as `$$x$$`, the site as `$x$`. */
function readLineMaths(text: string): string {
  return text.replace(/^(?![ \t]*\$\$[^$\n]*\$\$[ \t]*$).*\$\$.*$/gm, (line) =>
    line.replace(/\$\$([^$`\n]+)\$\$/g, (_, formula: string) => `$\`${formula.trim()}\`$`),
  );
}

/**
 * Replaces kramdown's formulas, and the classes of themes that make a paragraph a call-out: `{: .note }` before or
 * after it, `{: .notice--warning}` and `{: .prompt-tip }` after it.
 */
export function readNotices(text: string, { verbatim }: TransformContext): string {
  const lines = (paragraph: string) => paragraph.replace(/^>[ \t]?/gm, '');
  return readLineMaths(text)
    .replace(
      /^\{:[ \t]*\.(note|tip|important|warning|caution|highlight|new)(?:-title)?[ \t]*\}[ \t]*\n((?:[^\n]+\n?)+)/gm,
      (_, kind: string, paragraph: string) => `${calloutOf(kind, '', lines(paragraph), verbatim)}\n`,
    )
    .replace(
      /^((?:[^\n]+\n){1,100})\{:[ \t]*\.(?:notice--|prompt-)?(notice|\w+)[ \t]*\}[ \t]*$/gm,
      (whole: string, paragraph: string, name: string) => {
        const kind = name === 'notice' ? 'note' : name;
        return calloutKind(kind) === null ? whole : calloutOf(kind, '', lines(paragraph), verbatim);
      },
    );
}

/**
 * Replaces `## Heading {#id}` by an anchor. Removes other attribute lists (`{: .class}`, `{.class}` after a heading)
 * and marks for a table of contents.
 */
export function readAttributes(text: string): string {
  return text
    .replace(/^(?:\[toc\]|\[\[toc\]\])[ \t]*$/gim, '')
    .replace(/^(?:[*-]|1\.) +[^\n]*\n[ \t]*\{:\s*toc[^}\n]*\}[ \t]*\n?/gim, '')
    .replace(
      /^(#{1,6}[ \t]+)(.+?)[ \t]*\{:?[ \t]*([^{}\n]*)\}[ \t]*$/gm,
      (whole: string, marks: string, title: string, attributes: string) => {
        if (!/^[#.\w]/.test(attributes.trim())) return whole;
        const id = /#([\w-]+)/.exec(attributes)?.[1];
        return id === undefined ? marks + title : `${marks}<a id="${id}"></a>${title}`;
      },
    )
    .replace(/^\{:[^{}\n]*\}[ \t]*\n?/gm, '')
    .replace(/(?<=[)\]*_`>])\{:[^{}\n]*\}/g, '');
}

/** Replaces `> [!kind]- Title` of GitHub and Obsidian, which have many kinds, by call-outs of the site. */
export function readAlerts(text: string): string {
  return text.replace(
    /^([ \t]*>[ \t]*)\[!([\w-]+)\][+-]?[ \t]*([^\n]*)/gm,
    (_, mark: string, kind: string, title: string) => mark + calloutMark(kind, title),
  );
}

const admonitionOpen =
  /^[ \t]{0,3}(:::+)[ \t]*([\w-]+)(?:\[([^\]\n]*)\]|[ \t]+([^\n{]*))?(?:\{[^}\n]*\})?[ \t]*\n/gm;

/**
 * Replaces `:::tip Title … :::` of Docusaurus and Starlight by call-outs. A block with more colons may contain others.
 */
export function readAdmonitions(text: string, { verbatim }: Pick<TransformContext, 'verbatim'>): string {
  return replacePairs(
    text,
    admonitionOpen,
    ([, marks]) => new RegExp(String.raw`^[ \t]{0,3}${marks}(?!:)[ \t]*$`, 'gm'),
    ([, , kind = '', bracketed, title], inner) => {
      const nested = readAdmonitions(inner, { verbatim });
      if (kind === 'details') return `${detailsOf(bracketed ?? title ?? '', nested, verbatim).trim()}\n`;
      if (/^(code-group|raw|v-pre|tabs)$/.test(kind)) return `\n${nested}\n`;
      return `${calloutOf(kind, bracketed ?? title ?? '', nested, verbatim)}\n`;
    },
  );
}

const linkPrefix = String.raw`(?:\{(?:filename|static|attach)\}|\|(?:filename|static|attach)\|)`;
/** A file of the content as an address: `]({static}/images/a.png)`, `src="{attach}a.png"`. */
const fileLink = new RegExp(
  String.raw`(\]\(<?|(?:src|href)=["']|^[ ]{0,3}\[[^\]\n]+\]:[ \t]*<?)${linkPrefix}([^\s)"'>]+)`,
  'gm',
);
const listLink = /(\]\(<?|href=["'])[{|](tag|category|author|index|archives)[}|]\/?([^)"'>\s]*)/g;
const listFolders: Record<string, string> = { tag: '/tags/', category: '/categories/', author: '/authors/' };

/** The Markdown of Pelican: `{filename}`, `{static}` and `{attach}` before files, `{tag}` and the like before lists. */
export function readPelicanLinks(text: string): string {
  return text
    .replace(fileLink, (_, before: string, target: string) => {
      const isFromRoot = target.startsWith('/') && postLink.test(target.slice(1));
      return before + (isFromRoot ? `@${target}` : target);
    })
    .replace(listLink, (_, before: string, kind: string, name: string) => {
      const folder = listFolders[kind];
      if (folder === undefined) return before + (kind === 'archives' ? '/archive' : '/');
      return before + folder + toSlug(name);
    });
}

const isIndented = /^(?: {4}|\t)|^[ \t]*$/;
const withoutIndent = (line: string) => line.replace(/^(?: {4}|\t)/, '');

/**
 * `!!! note "Title"` above an indented text as a call-out. Runs before code is found: further paragraphs of the text
 * look like code.
 */
export function readIndentedNotes(markdown: string): string {
  if (!markdown.includes('!!!')) return markdown;
  const lines = markdown.split('\n');
  const read: string[] = [];
  let isCode = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    const [, kind, title] = /^!!![ \t]+([\w-]+)(?:[ \t]+"([^"]*)")?[ \t]*$/.exec(line) ?? [];
    if (isCode || kind === undefined) {
      read.push(line);
      continue;
    }
    const inner: string[] = [];
    while (at + 1 < lines.length && isIndented.test(lines[at + 1]!))
      inner.push(withoutIndent(lines[(at += 1)]!));
    const quoted = [calloutMark(kind, title), ...inner.join('\n').trim().split('\n')];
    read.push(...quoted.map((line) => `> ${line}`.trimEnd()), '');
  }
  return read.join('\n');
}

/** Code whose first line names its language, `:::python` or `#!python`, as a fenced block. */
export function readNamedCode(code: string): string {
  const lines = code.trimEnd().split('\n');
  const language = /^(?: {4}|\t)(?::::|#!)[ \t]*([\w+#-]+)[ \t]*$/.exec(lines[0]!)?.[1];
  if (language === undefined) return code;
  const inner = lines.slice(1).map(withoutIndent);
  const marks = inner.some((line) => line.includes('```')) ? '~~~' : '```';
  return [`${marks}${language.toLowerCase()}`, ...inner, marks].join('\n');
}

/** The name of a block, after it or on a line of its own. */
const blockName = /(^|[ \t])\^([\w-]+)[ \t]*$/gm;

/** Obsidian's `[[links]]`, `![[pictures]]`, `==marks==` and `%%comments%%` as Markdown. */
export function readWikiLinks(text: string, context: TransformContext): string {
  return text
    .replace(/%%[\s\S]*?%%/g, '')
    .replace(blockName, '$1<a id="$2"></a>')
    .replace(/==(?=\S)([^=\n]+?)(?<=\S)==/g, '<mark>$1</mark>')
    .replace(/!\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g, (_, target: string, label = '') => {
      const file = context.fileNamed(target.trim());
      // The size of a picture may be after its description, or alone.
      const alt = String(label).replace(/(?:^|\|)\d+(x\d+)?$/, '');
      if (file !== null) return pictureOf({ src: file, alt });
      return linkOr(context.postNamed(target), String(label) || target, target, context);
    })
    .replace(
      /\[\[([^[\]|#\n]*)(#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g,
      (_, target: string, heading = '', label) => {
        const shown = (label as string | undefined) || target || String(heading).slice(1);
        if (target === '') return `[${shown}](#${anchorOf(String(heading))})`;
        const address = context.postNamed(target);
        const anchor = String(heading) === '' ? '' : `#${anchorOf(String(heading))}`;
        return linkOr(address && address + anchor, shown, target, context);
      },
    );
}

/** The tags in a text: `#sea`, `#sea/boats`. A number is not a tag, and code has no tags. */
export function tagsIn(text: string): string[] {
  const code = codeRanges(text);
  const tags = [...text.matchAll(/(?<=^|\s|(?<!\])\()#(?=[^\s#]*[\p{L}_])([\p{L}\p{N}\p{M}_/-]+)/gmu)].filter(
    ({ index }) => !code.some(([from, to]) => from <= index && index < to),
  );
  return [...new Set(tags.map(([, name]) => name!.replace(/\/+$/, '')))];
}

function linkOr(address: string | null, label: string, target: string, { warn }: TransformContext): string {
  if (address !== null) return `[${label}](${address})`;
  warn(`The link to “${target}” leads to no file of the folder; its text stays.`);
  return label;
}

function anchorOf(heading: string): string {
  return heading
    .replace(/^[#^\s]+/, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
}
