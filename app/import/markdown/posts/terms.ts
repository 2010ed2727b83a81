import type { DialectName } from '#app/import/markdown/dialects/dialects.ts';
import type { SourceTerm } from '#app/import/model/post.ts';
import { nameKey, toSlug } from '#app/platform/text/slug.ts';
import type { Fields } from './fields.ts';

/** The names of a post's categories, each once. One that makes no address is left out. */
export function categoriesOf(fields: Fields, dialect: DialectName, warnings: string[]): string[] {
  // One category is one name, also in Jekyll. A list is what `categories` is.
  const single = fields.names('category');
  const names = single.length === 0 ? wordsOf(fields.categories(), fields, 'categories', dialect) : single;
  const slug = toSlug(fields.text('category_slug') ?? '');
  return [...new Set(names)].filter((name, index) => {
    const isUsable = toSlug(name) !== '' || (index === 0 && slug !== '');
    if (!isUsable) warnings.push(`The category “${name}” has no letter or digit and was left out.`);
    return isUsable;
  });
}

/** Tags that only put a post into a list of Eleventy. Its starter blog hides them from readers, too. */
const collectionTag = /^(?:posts?|all|nav|_.*)$/;

/** A post's tags. Further categories become tags. A name that differs by case alone counts once. */
export function tagsOf(
  fields: Fields,
  further: string[],
  dialect: DialectName,
  warnings: string[],
): SourceTerm[] {
  const byIdentity = new Map<string, SourceTerm>();
  const tags = wordsOf(
    fields.list('tags', 'tag'),
    fields,
    fields.has('tags') ? 'tags' : 'tag',
    dialect,
  ).filter((name) => dialect !== 'eleventy' || !collectionTag.test(name));
  const names = [...tags, ...fields.taxonomy('tags'), ...further];
  const slugs = fields.list('tag_slugs');
  for (const [index, name] of names.entries()) {
    const slug = toSlug(slugs.length === names.length ? slugs[index]! : '');
    const identity = slug === '' ? `name ${nameKey(name)}` : `slug ${slug}`;
    if (slug === '' && toSlug(name) === '')
      warnings.push(`The tag “${name}” has no letter or digit and was left out.`);
    else if (!byIdentity.has(identity)) byIdentity.set(identity, { name, slug });
  }
  return [...byIdentity.values()];
}

// A text that is not a list: Jekyll separates its names by spaces, other generators by commas.
function wordsOf(names: string[], fields: Fields, name: string, dialect: DialectName): string[] {
  return dialect === 'jekyll' && !fields.isList(name) ? names.flatMap((text) => text.split(/\s+/)) : names;
}
