import { dialects } from './dialects.ts';
import type { Fields } from './front-matter-fields.ts';
import type { MarkdownContext } from './markdown-post.ts';
import { schemeProblem } from '../permalink-words.ts';
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
    .replace(/(^|\/)(?:_?index|\+page)$/i, '')
    // Groups of routes in SvelteKit.
    .replace(/(^|\/)\([^()/]+\)(?=\/)/g, '$1')
    .replace(/^\//, '');
  const folders = below.split('/').slice(0, -1);
  const section = folders[0] ?? '';
  const isCollection = site.dialect === 'jekyll' && Object.hasOwn(site.permalinkOf, section);
  const inside = isCollection ? folders.slice(1) : folders;
  const path = [...inside, fields.text('slug') === null ? name : slug].join('/');
  const own = site.dialect === 'docusaurus' ? docusaurusAddress(section, fields.text('slug')) : null;
  const ofPage = isPage && !isCollection ? schemeOfPages(site) : null;
  const pattern =
    ownScheme(fields).scheme ??
    context.permalink ??
    ofPage ??
    own ??
    site.permalinkOf[section] ??
    site.permalink ??
    dialect.permalink;
  if (pattern === null) return [];
  // In Jekyll folders above `_posts` are categories too.
  const above = site.dialect === 'jekyll' && !isCollection ? folders : [];
  const values = { timeZone: context.timeZone, path, name, slug, categories: [...above, ...categories] };
  const written = site.dialect === 'hugo' ? hugoNames(fields, name) : [{}];
  return written.flatMap((names) => {
    const address = fillPermalink(pattern, { ...values, ...names, date });
    return address === null ? [] : [`${site.basePath}${prefix}${address}`];
  });
}

/** In Hugo `:title` is the title, and so is `:slug` without one. Who migrated to Hugo may have names of files there. */
function hugoNames(fields: Fields, name: string): { slug: string; title: string }[] {
  const slug = fields.text('slug');
  const title = inHugoAddress(fields.text('title') ?? name);
  return [
    { slug: slug ?? title, title },
    { slug: slug ?? name, title: slug ?? name },
  ];
}

/** As Hugo writes a title into an address: letters of every script stay, other signs go. */
function inHugoAddress(title: string): string {
  return title
    .replace(/[^\p{L}\p{N}\p{M}._#+~@\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .toLowerCase();
}

/** Where the site's scheme is that of posts alone; Jekyll's pages end as its posts do. */
function schemeOfPages({ dialect, permalink }: MarkdownContext['site']): string | null {
  if (dialect === 'hexo') return '/:path/';
  if (dialect === 'pelican') return '/pages/:slug.html';
  if (dialect !== 'jekyll') return null;
  return permalink?.endsWith('/') ? '/:path/' : '/:path.html';
}

/** The scheme that a front matter gives its own post, as in Jekyll and Hugo, or why it cannot be filled in. */
export function ownScheme(fields: Fields): { scheme: string | null; problem: string | null } {
  const written = fields.text('permalink') ?? fields.text('url') ?? '';
  if (/\{[{%]/.test(written))
    return {
      scheme: null,
      problem: `The address “${written}” is a template of the generator and was left out: give the scheme with --permalink.`,
    };
  const isScheme = !/^https?:/i.test(written) && /[:{]/.test(written) && schemeProblem(written) === null;
  return { scheme: isScheme ? written : null, problem: null };
}

/** In Docusaurus a slug is the whole address below the section. */
function docusaurusAddress(section: string, slug: string | null): string | null {
  if (slug !== null) return `/${section || 'blog'}/${slug}`;
  return section === 'docs' ? '/:path' : null;
}
