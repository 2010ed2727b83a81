import { fillPermalink } from '#app/import/addresses/old-permalink.ts';
import { schemeProblem, eleventyScheme } from '#app/import/addresses/permalink-words.ts';
import { dialects, type DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { MarkdownContext } from '#app/import/markdown/dialects/site.ts';
import type { Fields } from './fields.ts';

/** The parts of a post that its old address may contain. */
interface Addressed {
  fields: Fields;
  /** Path below the folder, without a language. */
  file: string;
  /** The beginning of addresses in the file's language, such as `/de`. */
  prefix: string;
  name: string;
  slug: string;
  date: Date | null;
  categories: string[];
  isPage: boolean;
  warnings: string[];
}

/** The address that the old site made by its scheme, if the scheme is known. */
export function schemeAddress(
  { fields, file, prefix, name, slug, date, categories, isPage, warnings }: Addressed,
  context: Pick<MarkdownContext, 'site' | 'permalink' | 'timeZone' | 'folder'>,
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
  const folders = routeOf(file, withoutFolder(below, site.sourceFolder).split('/').slice(0, -1), site);
  const section = folders[0] ?? '';
  const isCollection = site.dialect === 'jekyll' && Object.hasOwn(site.permalinkOf, section);
  const inside = isCollection ? folders.slice(1) : folders;
  const path = [...inside, fields.text('slug') === null ? name : slug].join('/');
  const docusaurusScheme =
    site.dialect === 'docusaurus' ? docusaurusAddress(section, fields.text('slug'), site) : null;
  const ofPage = isPage && !isCollection ? schemeOfPages(site) : null;
  const pattern =
    ownScheme(fields, site.dialect).scheme ??
    context.permalink ??
    ofPage ??
    docusaurusScheme ??
    site.permalinkOf[section] ??
    site.permalink ??
    dialect.permalink;
  if (pattern === null) return [];
  const above = site.dialect === 'jekyll' && !isCollection ? categoryFolders(file, context.folder) : [];
  const values = {
    ...{ timeZone: context.timeZone, path, name, slug, date, categories: [...above, ...categories] },
    field: (word: string) => (site.dialect === 'hexo' ? fields.text(word) : null),
  };
  const written = site.dialect === 'hugo' ? hugoNames(fields, name) : [titleIn(fields, site.dialect)];
  return written.flatMap((names) => {
    const address = fillPermalink(pattern, { ...values, ...names });
    if (address !== null) return [`${site.basePath}${prefix}${address}`];
    // Expected for a page without a date: it has no address with one.
    if (date !== null)
      warnings.push(`The old address is unknown: the post has not all that the scheme “${pattern}” names.`);
    return [];
  });
}

/** In Jekyll the folders above `_posts` are categories too, and those in it are nothing. */
function categoryFolders(file: string, root = ''): string[] {
  const above = /^_(?:posts|drafts)$/.test(root)
    ? ''
    : file.replace(/(?:^|\/)(?:_(?:posts|drafts)\/.*|[^/]*)$/s, '');
  return above.split('/').filter((folder) => folder !== '');
}

function withoutFolder(below: string, folder: string): string {
  return folder !== '' && below.startsWith(`${folder}/`) ? below.slice(folder.length + 1) : below;
}

const isRouted: ReadonlySet<DialectName> = new Set(['astro', 'sveltekit']);

/** The folders in a post's address. They differ from the file's if the site shows posts below another route. */
function routeOf(file: string, folders: string[], { dialect, routes }: MarkdownContext['site']): string[] {
  const [route, ...others] = routes;
  if (route === undefined || others.length > 0 || route === folders[0]) return folders;
  if (dialect === 'gatsby') return [route, ...folders];
  // A post in the folder of pages or routes is itself a route.
  if (!isRouted.has(dialect) || /(^|\/)src\/(pages|routes)\//.test(file)) return folders;
  return [route, ...folders.slice(1)].filter((folder) => folder !== '');
}

function titleIn(fields: Fields, dialect: DialectName): { title?: string } {
  const title = dialect === 'eleventy' ? toSlug(fields.text('title') ?? '') : '';
  return title === '' ? {} : { title };
}

/**
 * In Hugo `:title` is the title, and so is `:slug` without a slug. Addresses of a migrated site may contain file names
 * instead.
 */
function hugoNames(fields: Fields, name: string): { slug: string; title: string }[] {
  const slug = fields.text('slug');
  const title = inHugoAddress(fields.text('title') ?? name);
  return [
    { slug: slug ?? title, title },
    { slug: slug ?? name, title: slug ?? name },
  ];
}

/** A title as Hugo writes it into an address: letters of every script stay, other characters are removed. */
function inHugoAddress(title: string): string {
  return title
    .replace(/[^\p{L}\p{N}\p{M}._#+~@\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .toLowerCase();
}

/** The scheme of pages where the configured scheme is for posts only. Jekyll's pages end as its posts do. */
function schemeOfPages({ dialect, permalink }: MarkdownContext['site']): string | null {
  if (dialect === 'hexo') return '/:path/';
  if (dialect === 'pelican') return '/pages/:slug.html';
  if (dialect !== 'jekyll') return null;
  return permalink?.endsWith('/') ? '/:path/' : '/:path.html';
}

/** The scheme in a post's own front matter, as in Jekyll and Hugo, or the reason why it cannot be filled in. */
export function ownScheme(
  fields: Fields,
  dialect: DialectName,
): { scheme: string | null; problem: string | null } {
  const written = fields.text('permalink') ?? fields.text('url') ?? '';
  if (/\{[{%]|\$\{/.test(written)) {
    const scheme = dialect === 'eleventy' ? eleventyScheme(written) : null;
    if (scheme !== null) return { scheme, problem: null };
    return {
      scheme: null,
      problem: `The address “${written}” is a template of the generator and was left out: give the scheme with --permalink.`,
    };
  }
  const isScheme = !/^https?:/i.test(written) && /[:{]/.test(written) && schemeProblem(written) === null;
  return { scheme: isScheme ? written : null, problem: null };
}

/** In Docusaurus a slug is the whole address below the section, and the blog may have another route. */
function docusaurusAddress(
  section: string,
  slug: string | null,
  { routes }: MarkdownContext['site'],
): string | null {
  const [route = section || 'blog'] = section === 'docs' ? [] : routes;
  if (slug !== null) return `/${route}/${slug}`;
  if (section === 'docs') return '/:path';
  return routes.length > 0 ? `/${route}/:year/:month/:day/:name` : null;
}
