import { calloutKind, calloutOf } from '#app/import/html/callouts.ts';
import { codeNotes, type CodeNotes } from '#app/import/html/code-info.ts';
import type { TagArguments } from '#app/import/html/media-address.ts';
import type { Verbatim } from '#app/import/html/verbatim.ts';

/** What a conversion to Markdown needs besides the text. */
export interface TransformContext {
  verbatim: Verbatim;
  /** The address of the post that a link means; null for a link to anything else. */
  postAt: (link: string) => string | null;
  /** The address of the post with that file name or title; null without one. */
  postNamed: (name: string) => string | null;
  /** The address of the file with that name in any folder, from the text's folder; null without one. */
  fileNamed: (name: string) => string | null;
  /** Reports what could not be converted. */
  warn: (message: string) => void;
}

/** A fenced code block. Its fence is longer than any run of backticks in the code. */
export function fence(
  code: string,
  language: string,
  { verbatim }: TransformContext,
  notes: CodeNotes = {},
): string {
  const plain = verbatim.restore(code).replace(/^\n+|\s+$/g, '');
  const longest = Math.max(2, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  const name = /^[\w+#.-]{1,30}$/.test(language) ? language : '';
  return `\n\n${verbatim.add(`${marks}${name}${codeNotes(notes)}\n${plain}\n${marks}`)}\n\n`;
}

/** A picture in Markdown. */
export function pictureOf({
  src,
  alt = '',
  caption = '',
}: {
  src: string;
  alt?: string;
  caption?: string;
}): string {
  const label = (alt || caption).replace(/[[\]]/g, '\\$&').replace(/\s+/g, ' ');
  const title = caption === '' ? '' : ` "${caption.replace(/\s+/g, ' ').replaceAll('"', '&quot;')}"`;
  const address = /[\s()<>]/.test(src) ? `<${src}>` : src;
  return `![${label}](${address}${title})`;
}

/** The arguments of a tag, such as `src="a b" class=x`: by name (lower case), and those without a name in order. */
export function argumentsOf(written: string): TagArguments {
  const named: Record<string, string> = {};
  const plain: string[] = [];
  for (const [, name, assigned, alone] of written.matchAll(
    /(?!https?:)([\w-]+)\s*[=:]\s*("[^"]*"|'[^']*'|\{[^{}]*\}|[^\s"',]+)|("[^"]*"|'[^']*'|[^\s,]+)/g,
  ))
    if (name !== undefined) named[name.toLowerCase()] = unquoted(assigned!);
    else plain.push(unquoted(alone!));
  return { named, plain };
}

/** Warns, once for each name, of what an import cannot convert and keeps as text. @param what such as `tag` */
export function warnUnsupported(names: Set<string>, what: string, { warn }: TransformContext): void {
  for (const name of names) warn(`The ${what} “${name}” is kept as text.`);
}

function unquoted(value: string): string {
  return value.replace(/^(["'])([\s\S]*)\1$/, '$2').replace(/^\{["'`]?([\s\S]*?)["'`]?\}$/, '$1');
}

/** Tags and components for call-outs of any kind; an argument names the kind. */
const genericTag = /^(notice|alert|hint|callout|admonition|aside|note|details)$/i;

export function isCalloutTag(name: string): boolean {
  return genericTag.test(name);
}

/**
 * Converts a tag such as `notice tip "Title"`, `Aside type="tip"` or `warning title="…"` to a call-out, and `details`
 * to an element of that name.
 */
export function calloutOfTag(
  name: string,
  { named, plain }: TagArguments,
  inner: string,
  { verbatim }: TransformContext,
): string {
  const title = named.title ?? named.heading ?? named.summary ?? '';
  if (name.toLowerCase() === 'details') return detailsOf(title || plain.join(' '), inner, verbatim);
  const first = plain[0] ?? '';
  const isKind = calloutKind(first) !== null;
  const kind =
    named.type ?? named.kind ?? named.level ?? named.color ?? named.variant ?? (isKind ? first : '');
  const words = isCalloutTag(name) && isKind ? plain.slice(1) : plain;
  const tagKind = isCalloutTag(name) && calloutKind(name) === null ? 'note' : name;
  const shownKind = calloutKind(kind) !== null || calloutKind(tagKind) === null ? kind || tagKind : tagKind;
  return `\n\n${calloutOf(shownKind, title || words.join(' '), inner, verbatim)}\n\n`;
}

/** An element `details`. @param summary plain text */
export function detailsOf(summary: string, inner: string, verbatim: Verbatim): string {
  const escaped = summary.replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;')).trim();
  const open = verbatim.add(`<details><summary>${escaped || 'Details'}</summary>`);
  return `\n\n${open}\n\n${inner.trim()}\n\n${verbatim.add('</details>')}\n\n`;
}
