import type * as z from 'zod';
import { localPath } from '#app/platform/http/paths.ts';
import { customIssue, say, type Message } from '#app/platform/message.ts';
import {
  canonicalLanguage,
  coveringLanguage,
  supportedLanguageList,
  supportedLanguages,
} from '#app/platform/text/languages.ts';
import { toSlug } from '#app/platform/text/slug.ts';

export interface MenuLink {
  label: string;
  href: string;
}

/** An entry of a menu, with the links below it. */
export interface MenuEntry extends MenuLink {
  children: MenuLink[];
}

/**
 * Reads a menu from text: one entry per line, `label | address`. Two spaces before a line put it below the entry above.
 */
export function parseMenu(source: string, context: z.RefinementCtx): MenuEntry[] {
  const entries: MenuEntry[] = [];
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue;
    const { label, href } = atLastBar(line);
    const depth = /^(\t| {2}|)(?=\S)/.exec(line.replace(/^ (?=\S)/, ''))?.[1];
    const issue = (message: Message) => context.addIssue(customIssue(message));
    if (label === '' || !isLinkTarget(href))
      issue(say('“{line}” is not of the form: label | /address', { line: line.trim() }));
    else if ([...label].length > 200) issue('A label has at most 200 characters.');
    else if (depth === '') entries.push({ label, href, children: [] });
    else if (depth === undefined)
      issue(say('“{label}” is too far below: a menu has two levels.', { label: line.trim() }));
    else if (entries.length === 0)
      issue(say('“{label}” is indented, but has no entry above it.', { label: line.trim() }));
    else entries.at(-1)!.children.push({ label, href });
  }
  return entries;
}

/** One link, `label | address`; null for a blank text. */
export function parseLink(source: string, context: z.RefinementCtx): MenuLink | null {
  if (source === '') return null;
  const { label, href } = atLastBar(source);
  if (label === '' || !isLinkTarget(href))
    context.addIssue(customIssue(say('“{line}” is not of the form: label | /address', { line: source })));
  return { label, href };
}

/** A line that readers see, and the address to which it links, if any. */
export interface Announcement {
  label: string;
  href: string | null;
}

/** A line of text, or `text | address`; null for a blank one. */
export function parseAnnouncement(source: string, context: z.RefinementCtx): Announcement | null {
  if (source === '' || source.includes('|')) return parseLink(source, context);
  return { label: source, href: null };
}

function atLastBar(source: string): MenuLink {
  const cut = source.lastIndexOf('|');
  return { label: source.slice(0, Math.max(cut, 0)).trim(), href: source.slice(cut + 1).trim() };
}

/** Where the list of posts is: `/`, or a path of one segment or more in lower case. */
export function parsePostsPath(source: string, context: z.RefinementCtx): string {
  const path = `/${source.replace(/^\/+|\/+$/g, '')}`;
  const segments = path.slice(1).split('/');
  if (path !== '/' && segments.some((segment) => toSlug(segment) !== segment || segment === ''))
    context.addIssue({
      code: 'custom',
      message: 'The address must look like /blog: lower case, digits and hyphens.',
    });
  return path;
}

/** A path of this site, an address that begins with http:// or https:// and names a host, or mailto: or tel:. */
export function isLinkTarget(href: string): boolean {
  if (/\s/.test(href)) return false;
  if (href.startsWith('/')) return localPath(href) !== null;
  if (/^mailto:[^@]+@[^@]+$|^tel:[+\d()./-]+$/i.test(href)) return true;
  return /^https?:\/\/[^/\\]/i.test(href) && URL.canParse(href);
}

/** Tags of languages with built-in texts, separated by commas. */
export function parseLanguages(source: string, context: z.RefinementCtx): string[] {
  const tags = source
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return [...new Set(tags.map((tag) => parseLanguage(tag, context)))];
}

/** The tag of a language with built-in texts: one of the list, or one of its regions such as `de-AT`. */
export function parseLanguage(source: string, context: z.RefinementCtx): string {
  const tag = canonicalLanguage(source.trim());
  if (tag !== null && supportedTexts(tag)) return tag;
  context.addIssue(
    customIssue(
      say('“{tag}” isn’t a supported language. Supported: {languages}.', {
        tag: source.trim(),
        languages: supportedLanguageList,
      }),
    ),
  );
  return source;
}

function supportedTexts(tag: string): boolean {
  return /^(zh|pt)\b/.test(tag) || coveringLanguage(tag, supportedLanguages) !== null;
}
