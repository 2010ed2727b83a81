import type { LinksBetweenPosts } from '#app/import/addresses/links-between-posts.ts';
import { textOfHtml } from '#app/import/html/to-markdown.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { decoded } from './categories.ts';
import type { WxrItem } from './wxr-item.ts';

/** The pages that are imported, by their numbers. */
export type Pages = ReadonlyMap<string, { slug: string; parent: string }>;

/** Pages can be below two others. */
const ABOVE_MAX = 2;

/** The slug for a name; one with the post's number for a name without letters, such as emoji. */
export function slugOfName(name: string, id: string): string {
  const slug = decoded(name).trim();
  return toSlug(slug) === '' ? `post-${id}` : slug;
}

/** The number of a page's parent on this site; null without one. Of a longer chain of pages the uppermost count. */
export function parentOf(page: { id: string; parent: string }, pages: Pages): string | null {
  const ids: string[] = [];
  const seen = new Set<string>([page.id]);
  let id = page.parent;
  for (let above = pages.get(id); above && !seen.has(id); above = pages.get(id)) {
    seen.add(id);
    ids.unshift(id);
    id = above.parent;
  }
  return ids.slice(0, ABOVE_MAX).at(-1) ?? null;
}

/** The path of a page's parent on this site; blank without one. */
export function pathAbove(
  page: { id: string; parent: string },
  { pages, links }: { pages: Pages; links: LinksBetweenPosts },
): string {
  const parent = parentOf(page, pages);
  return parent === null ? '' : (links.addressOfNumber(parent) ?? '');
}

/** The authors that the plug-in Co-Authors Plus names, in order; empty without it. */
export function guestAuthorsOf({ terms }: WxrItem): string[] {
  const names = terms.filter(({ domain }) => domain === 'author').map(({ name }) => textOfHtml(name));
  return [...new Set(names.filter((name) => name !== ''))];
}
