import type { z } from 'zod';
import { canonicalLanguage } from '#app/platform/language-tag.ts';
import { ownPath } from '#app/platform/own-path.ts';

/** A link of a menu. */
export interface NavigationLink {
  label: string;
  href: string;
}

/** A menu as text: one link a line. */
export function parseNavigation(source: string, context: z.RefinementCtx): NavigationLink[] {
  const links: NavigationLink[] = [];
  for (const entry of source.split('\n')) {
    if (entry.trim() === '') continue;
    const cut = entry.lastIndexOf('|');
    const label = entry.slice(0, cut).trim();
    const href = entry.slice(cut + 1).trim();
    if (cut > 0 && label && isLinkTarget(href)) links.push({ label, href });
    else
      context.addIssue({ code: 'custom', message: `“${entry.trim()}” is not of the form: label | /address` });
  }
  return links;
}

/** A path of this site, or an address that begins with http:// or https:// and names a host. */
function isLinkTarget(href: string): boolean {
  if (/\s/.test(href)) return false;
  if (href.startsWith('/')) return ownPath(href) !== null;
  return /^https?:\/\/[^/\\]/i.test(href) && URL.canParse(href);
}

/** Language tags, separated by commas. */
export function parseLanguages(source: string, context: z.RefinementCtx): string[] {
  const tags = source
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return [
    ...new Set(
      tags.map((tag) => {
        const language = canonicalLanguage(tag);
        if (language !== null) return language;
        context.addIssue({ code: 'custom', message: `“${tag}” is not a language tag such as de or pt-BR.` });
        return tag;
      }),
    ),
  ];
}

export function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1 && value.length >= 2;
  } catch {
    return false;
  }
}
