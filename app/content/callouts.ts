import { calloutKinds } from '#app/posts/markdown-callouts.ts';
import type { Verbatim } from './verbatim.ts';

type CalloutKind = (typeof calloutKinds)[number];

/** What other systems call their kinds. */
const otherKinds: Record<string, CalloutKind> = {
  ...kindsAs(
    'note',
    'info abstract summary tldr todo example question help faq quote cite secondary primary default',
  ),
  ...kindsAs('tip', 'hint success check done'),
  ...kindsAs('important', 'attention'),
  ...kindsAs('warning', 'warn alert'),
  ...kindsAs('caution', 'danger error bug failure fail missing critical'),
};

function kindsAs(kind: CalloutKind, names: string): Record<string, CalloutKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** The kind of call-out for another system's name; null for an unknown name. */
export function calloutKind(name: string): CalloutKind | null {
  const lower = name.toLowerCase();
  if ((calloutKinds as readonly string[]).includes(lower)) return lower as CalloutKind;
  return Object.hasOwn(otherKinds, lower) ? otherKinds[lower]! : null;
}

/**
 * The line that begins a call-out: `[!NOTE]`, and the title if it has one. A name that the kind does not say becomes
 * the title.
 */
export function calloutMark(name: string, title = ''): string {
  const kind = calloutKind(name);
  const shown = title.replace(/\s+/g, ' ').trim() || (isSaid(name) ? '' : capitalised(name));
  return `[!${(kind ?? 'note').toUpperCase()}]${shown === '' ? '' : ` ${shown}`}`;
}

/** Markdown as a call-out; pieces in it may have several lines. */
export function calloutOf(name: string, title: string, markdown: string, verbatim: Verbatim): string {
  const lines = [calloutMark(name, title), ...verbatim.prefixed(markdown.trim(), '> ').split('\n')];
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

/** Names that add nothing to the kind's own title. */
function isSaid(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    (calloutKinds as readonly string[]).includes(lower) ||
    ['info', 'hint', 'attention', 'warn', 'alert', 'danger', 'primary', 'secondary', 'default'].includes(
      lower,
    )
  );
}

function capitalised(word: string): string {
  return word === '' ? '' : word[0]!.toUpperCase() + word.slice(1).toLowerCase();
}
