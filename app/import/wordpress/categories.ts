import { textOfHtml } from '#app/import/html/to-markdown.ts';
import type { SourceTerm } from '#app/import/model/post.ts';
import { decodedOrSame } from '#app/platform/http/paths.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { WxrHead, WxrItem } from './wxr.ts';

const NAME_MAX = 100;

/**
 * A post's one category and its tags. A category above another one of the post is left out, since the lower one implies
 * it. Of the rest the first is the category, and the others become tags. The old addresses of all redirect.
 */
export function termsOf(item: WxrItem, head: WxrHead) {
  const warnings: string[] = [];
  const of = (domain: string) => item.terms.filter((term) => term.domain === domain);
  const basePath = URL.canParse(head.blogUrl) ? new URL(head.blogUrl).pathname.replace(/\/$/, '') : '';
  const term = ({ domain, name, nicename }: WxrItem['terms'][number], aliases: string[]): SourceTerm => ({
    name: cutText(textOfHtml(name), NAME_MAX) || decodedOrSame(nicename),
    slug: decodedOrSame(nicename),
    aliases: aliases.map((alias) => basePath + alias),
    description: textOfHtml(head.descriptions.get(`${domain} ${nicename}`) ?? ''),
  });
  const named = of('category');
  const leafSlugs = new Set(
    leavesOf(
      named.map(({ nicename }) => nicename),
      head,
    ),
  );
  const leaves = named.filter(({ nicename }) => leafSlugs.has(nicename));
  const leafTerms = leaves.map((leaf) => term(leaf, addressesOf(leaf.nicename, head)));
  const [category, ...others] = leafTerms.filter(isUsable);
  const tags = of('post_tag').map((tag) => term(tag, [`/tag/${tag.nicename}`]));
  for (const { name } of others) warnings.push(`A post has one category: “${name}” became a tag.`);
  const importedDomains = ['category', 'post_tag', 'tag', 'post_format', 'author', ''];
  for (const domain of new Set(
    item.terms.map((term) => term.domain).filter((name) => !importedDomains.includes(name)),
  ))
    warnings.push(`Terms of “${domain}” were left out.`);
  return { category: category ?? null, tags: unique([...tags, ...others]), warnings };
}

/** The categories that are not above another one of them. */
export function leavesOf(slugs: string[], head: Pick<WxrHead, 'parents'>): string[] {
  const implied = new Set(slugs.flatMap((slug) => ancestorsOf(slug, head)));
  return slugs.filter((slug) => !implied.has(slug));
}

/** Old addresses of a category, and of categories above it that have no posts: those are not imported. */
function addressesOf(slug: string, head: WxrHead): string[] {
  const empty = ancestorsOf(slug, head).filter((ancestor) => !head.ownCategories.has(ancestor));
  return [slug, ...empty].flatMap((category) => addressesOfOne(category, head));
}

/** The address with the categories above, as WordPress writes it; the one without them; the one with the number. */
function addressesOfOne(slug: string, head: WxrHead): string[] {
  const above = ancestorsOf(slug, head);
  const number = head.termNumbers.get(`category ${slug}`);
  return [
    `/category/${[slug, ...above].reverse().join('/')}`,
    ...(above.length === 0 ? [] : [`/category/${slug}`]),
    ...(number === undefined ? [] : [`/?cat=${number}`]),
  ];
}

function ancestorsOf(slug: string, { parents }: Pick<WxrHead, 'parents'>): string[] {
  const ancestors: string[] = [];
  for (
    let parent = parents.get(slug);
    parent !== undefined && !ancestors.includes(parent);
    parent = parents.get(parent)
  )
    ancestors.push(parent);
  return ancestors;
}

function isUsable({ name, slug }: SourceTerm): boolean {
  return toSlug(slug || name) !== '';
}

function unique(terms: SourceTerm[]): SourceTerm[] {
  const slugOf = ({ name, slug }: SourceTerm) => toSlug(slug || name);
  const usable = terms.filter(isUsable);
  return usable.filter((one, index) => usable.findIndex((other) => slugOf(other) === slugOf(one)) === index);
}
