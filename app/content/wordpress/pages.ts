import { toSlug } from '#app/platform/slug.ts';
import { textOfHtml } from '../html-to-markdown.ts';
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

/** The path of a page's parent on this site; blank without one. Of a longer chain of pages the uppermost count. */
export function pathAbove(page: { id: string; parent: string }, pages: Pages): string {
  const slugs: string[] = [];
  const seen = new Set<string>([page.id]);
  let id = page.parent;
  for (let above = pages.get(id); above && !seen.has(id); above = pages.get(id)) {
    seen.add(id);
    slugs.unshift(toSlug(above.slug));
    id = above.parent;
  }
  return slugs
    .slice(0, ABOVE_MAX)
    .map((slug) => `/${slug}`)
    .join('');
}

/** The authors that the plug-in Co-Authors Plus names, in order; empty without it. */
export function guestAuthorsOf({ terms }: WxrItem): string[] {
  const names = terms.filter(({ domain }) => domain === 'author').map(({ name }) => textOfHtml(name));
  return [...new Set(names.filter((name) => name !== ''))];
}
