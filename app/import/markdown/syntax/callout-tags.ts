import { calloutKind, calloutOf } from '#app/import/html/callouts.ts';
import type { TagArguments } from '#app/import/html/service-address.ts';
import type { Verbatim } from '#app/import/html/verbatim.ts';
import type { TransformContext } from './tag-values.ts';

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
