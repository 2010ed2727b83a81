import { isOneOf } from '#app/platform/narrow.ts';
import { calloutKinds } from '#app/posts/markdown/callouts.ts';
import type { Verbatim } from './verbatim.ts';

type CalloutKind = (typeof calloutKinds)[number];

/** Names of kinds in other systems. */
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
  if (isOneOf(calloutKinds, lower)) return lower;
  return Object.hasOwn(otherKinds, lower) ? otherKinds[lower]! : null;
}

/**
 * The first line of a call-out: `[!NOTE]`, and the title if it has one. Without a title, a name that says more than the
 * kind becomes the title: `question` is `[!NOTE] Question`.
 */
export function calloutMark(name: string, title = ''): string {
  const kind = calloutKind(name);
  const shown = title.replace(/\s+/g, ' ').trim() || (isImplied(name) ? '' : capitalised(name));
  return `[!${(kind ?? 'note').toUpperCase()}]${shown === '' ? '' : ` ${shown}`}`;
}

/** A call-out around Markdown. */
export function calloutOf(name: string, title: string, markdown: string, verbatim: Verbatim): string {
  const lines = [calloutMark(name, title), ...verbatim.prefixed(markdown.trim(), '> ').split('\n')];
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

/** True for a name that says no more than the title that readers see for its kind. */
function isImplied(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    isOneOf(calloutKinds, lower) ||
    ['info', 'hint', 'attention', 'warn', 'alert', 'danger', 'primary', 'secondary', 'default'].includes(
      lower,
    )
  );
}

function capitalised(word: string): string {
  return word === '' ? '' : word[0]!.toUpperCase() + word.slice(1).toLowerCase();
}
