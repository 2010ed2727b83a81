import { calloutMark } from '#app/import/html/callouts.ts';
import { postLink } from '#app/import/markdown/dialects/post-endings.ts';
import { toSlug } from '#app/platform/text/slug.ts';

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
