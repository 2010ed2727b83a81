import { dialects, type DialectName } from './dialects.ts';
import type { Fields } from './front-matter-fields.ts';
import type { MarkdownContext } from './markdown-post.ts';
import { fillPermalink } from './old-permalink.ts';

/** What of a post its old address was made of. */
interface Addressed {
  fields: Fields;
  /** Path below the folder, without a language. */
  file: string;
  /** What addresses in the file's language begin with, such as `/de`. */
  prefix: string;
  name: string;
  slug: string;
  date: Date | null;
  categories: string[];
  isPage: boolean;
}

/** The address that the old site made by its scheme, as far as it is known. */
export function schemeAddress(
  { fields, file, prefix, name, slug, date, categories, isPage }: Addressed,
  context: Pick<MarkdownContext, 'site' | 'permalink' | 'timeZone'>,
): string[] {
  const { site } = context;
  const dialect = dialects[site.dialect];
  const below = file
    .replace(dialect.contentFolder, '')
    .replace(/(^|\/)_(posts|drafts)\//, '$1')
    .replace(/\.[^./]+$/, '')
    .replace(/(^|\/)_?index$/i, '');
  const folders = below.split('/').slice(0, -1);
  const path = [...folders, fields.text('slug') === null ? name : slug].join('/');
  const section = folders[0] ?? '';
  const own = site.dialect === 'docusaurus' ? docusaurusAddress(section, fields.text('slug')) : null;
  const ofPage = isPage ? (schemesOfPages[site.dialect] ?? null) : null;
  const pattern =
    context.permalink ?? ofPage ?? own ?? site.permalinkOf[section] ?? site.permalink ?? dialect.permalink;
  if (pattern === null) return [];
  // In Jekyll folders above `_posts` are categories too.
  const above = site.dialect === 'jekyll' ? folders : [];
  const values = { timeZone: context.timeZone, path, name, slug, categories: [...above, ...categories] };
  const address = fillPermalink(pattern, { ...values, date });
  return address === null ? [] : [`${site.basePath}${prefix}${address}`];
}

/** Where the site's scheme is that of posts alone. */
const schemesOfPages: Partial<Record<DialectName, string>> = { jekyll: '/:path.html', hexo: '/:path/' };

/** In Docusaurus a slug is the whole address below the section. */
function docusaurusAddress(section: string, slug: string | null): string | null {
  if (slug !== null) return `/${section || 'blog'}/${slug}`;
  return section === 'docs' ? '/:path' : null;
}
