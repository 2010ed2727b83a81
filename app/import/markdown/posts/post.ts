import { unescapeShortcodes } from '#app/export/markdown-writer.ts';
import { excerptOf } from '#app/export/excerpt-of.ts';
import { type FrontMatter, readFrontMatter, withOpeningLine } from '#app/export/front-matter.ts';
import { EXPORTED_BY } from '#app/export/targets.ts';
import { type DialectName, dialects } from '#app/import/markdown/dialects/dialects.ts';
import { withHugoNames } from '#app/import/markdown/dialects/hugo-names.ts';
import {
  languageOfFile,
  defaultsFor,
  type MarkdownSite,
  type MarkdownContext,
} from '#app/import/markdown/dialects/site.ts';
import { tagsIn } from '#app/import/markdown/syntax/marks.ts';
import { dayInName, dayInPath, sourceZone } from '#app/import/model/date.ts';
import type { SourcePost } from '#app/import/model/post.ts';
import { hostOf } from '#app/platform/http/paths.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { frontMatterFieldNames, postFields, mapFields } from '#app/posts/fields/fields.ts';
import { decodePath } from '#app/posts/paths.ts';
import { dateOf, updatedOf, underEmbargo, stateOf } from './state.ts';
import { Fields, categoriesOf, tagsOf } from './fields.ts';
import { readProperties, readPelicanFile } from './properties.ts';
import { ownScheme, schemeAddress } from './scheme-address.ts';

const hasFeed: ReadonlySet<string> = new Set(
  'jekyll hugo zola docusaurus astro hexo gatsby eleventy pelican'.split(' '),
);

export interface MarkdownFile {
  /** Below the folder, with `/`. */
  path: string;
  text: string;
  /** When the file was last changed: Eleventy's `date: Created` and `Last Modified`. */
  changedAt?: Date;
}

/** A file as a post. Its `cover` is the address in the file, not yet a file of the library. */
export interface ReadMarkdownPost {
  post: SourcePost;
  /** Other names of the post, for links. */
  names: string[];
  /** True for a file that `content:export` wrote for any target; its text is not converted. */
  isOwnExport: boolean;
  /** The key that a post and its translations share; null without translations. */
  sharedName: string | null;
  isMainLanguage: boolean;
  /** The addresses that the post probably had, where its relative addresses began. */
  pages: string[];
  warnings: string[];
}

/**
 * Reads a Markdown file by the rules of the contract, section 7.
 * @throws AppError `invalid_input` with the reason why it cannot be a post.
 */
export function readMarkdownPost(file: MarkdownFile, ofSite: MarkdownContext): ReadMarkdownPost {
  const { dialect } = ofSite.site;
  const { data, body, uncertain, ...front } = readFile(file, dialect);
  const warnings = [...front.warnings];
  const properties = dialect === 'obsidian' ? readProperties(data, coverNames) : data;
  const values = { ...defaultsFor(file.path, ofSite.site.defaults), ...properties };
  const fields = new Fields(values, warnings);
  const path = dialect === 'nuxt' ? withoutOrder(file.path) : file.path;
  const location = languageOfFile(path, ofSite.site.languages, ofSite.folder);
  const context = { ...ofSite, timeZone: sourceZone(location.timeZone, ofSite.timeZone).timeZone };
  const name = nameOf(location.path);
  const oldPath = oldPathOf(fields, context.site);
  const { problem } = ownScheme(fields, dialect);
  if (problem !== null) warnings.push(problem);
  const titled = titleOf(fields.sentence('title'), body, name.rest);
  const isExported = fields.equals('exported_by', EXPORTED_BY);
  const isOwnExport = isExported || fields.has('title', 'slug', 'updated', 'status');
  const dayOfName = dayInPath(oldPath ?? '') ?? name.day;
  const date = dateOf(fields, { dayOfName, changedAt: file.changedAt, timeZone: context.timeZone }, warnings);
  const isPage =
    fields.equals('layout', 'page') ||
    fields.equals('type', 'page') ||
    (!isOwnExport && isPageOf(context, { path: location.path, date, hasLayout: fields.has('layout') }));
  const archiveAt = fields.date(context.timeZone, 'archive_at', 'archiveAt', 'expiryDate');
  const state = stateOf(
    fields,
    { path: file.path, date, archiveAt, isPage, isOwnExport, uncertain, now: context.now },
    warnings,
  );
  const { status, publishedAt } = isExported
    ? state
    : underEmbargo(state, values, { ...context, dialect }, warnings);
  // In an export of Dateline, `author` created the post and `authors` are the names that readers see.
  const named = fields
    .names(...(isExported ? ['author'] : ['author', 'authors']))
    .map((key) => context.authors.get(key) ?? key);
  const [author] = named;
  const categories = categoriesOf(fields, dialect, warnings);
  const [category, ...further] = categories;
  if (further.length > 0) warnings.push(`A post has one category: ${further.join(', ')} became tags.`);
  const cover = fields.picture(...coverNames);
  const slug =
    slugOf(fields, oldPath) ??
    (location.nameEnding === '' ? name.rest : `${name.rest}-${location.nameEnding}`);
  // In Obsidian aliases are other names of a note.
  const names = dialect === 'obsidian' ? fields.list('aliases', 'alias') : [];
  const oldAddresses = [
    ...(oldPath === null ? [] : [oldPath]),
    ...(dialect === 'obsidian' ? [] : fields.list('aliases')),
    ...fields.list('redirect_from'),
  ]
    .filter((address) => !isForeign(address, context.site))
    .flatMap((address) => [...new Set([withoutIndex(address), address])]);
  const old = { file: location.path, prefix: location.prefix, name: name.rest };
  const byScheme =
    status === 'published' && (oldPath === null || context.permalink !== null)
      ? schemeAddress({ ...old, fields, slug, date, categories, isPage, warnings }, context)
      : [];
  oldAddresses.push(...byScheme);
  const feedAddress =
    byScheme[0] ?? (oldPath !== null && dialect === 'eleventy' ? withoutIndex(oldPath) : oldPath);
  const guid =
    status === 'published' && !isPage && feedAddress
      ? oldGuid(context, { address: feedAddress, slug, date })
      : null;
  const ownTexts = mapFields(
    frontMatterFieldNames,
    (name) => fields.text(...postFields[name].frontMatter) ?? '',
  );
  const post: SourcePost = {
    title: titled.title,
    slug,
    body: isExported && dialect === 'hugo' ? unescapeShortcodes(titled.body) : titled.body,
    excerpt: excerptOf(fields.sentence('excerpt', 'description', 'summary') ?? '', warnings),
    status,
    publishedAt,
    archiveAt: status === 'archived' && !isOwnExport ? null : archiveAt,
    updatedAt: updatedOf(fields, context.timeZone),
    category: category === undefined ? null : { name: category, slug: fields.text('category_slug') ?? '' },
    tags: tagsOf(
      fields,
      [...further, ...(dialect === 'obsidian' ? tagsIn(titled.body) : [])],
      dialect,
      warnings,
    ),
    author: author === undefined ? null : { name: author, username: fields.text('author_username') ?? '' },
    cover: cover?.address ?? null,
    ...ownTexts,
    coverAlt: ownTexts.coverAlt || (cover?.alt ?? ''),
    aliases: [...new Set(oldAddresses)],
    ...withoutNulls({
      guid: fields.text('guid') ?? (isOwnExport ? null : guid),
      type: isPage ? ('page' as const) : null,
      parent: isOwnExport ? fields.text('parent') : null,
      language: isOwnExport
        ? fields.text('language')
        : location.tag === context.siteLanguage
          ? null
          : location.tag,
      translationOf: isOwnExport ? fields.text('translation_of') : null,
      authors: isOwnExport ? fields.names('authors') : named.length > 1 ? named : null,
    }),
  };
  const sharedName =
    isOwnExport || location.tag === null
      ? null
      : (fields.text('translationKey') ?? location.path.replace(/\.\w+$/, ''));
  const written = oldPath === null ? byScheme : [withoutIndex(oldPath)];
  const pages = written.length > 0 ? written : [`${location.prefix}/${pageOfFile(location.path, dialect)}/`];
  return { post, names, isOwnExport, sharedName, isMainLanguage: location.prefix === '', pages, warnings };
}

/** The address of a folder for that of its `index.html`: servers answer both. */
function withoutIndex(address: string): string {
  return address.replace(/(^|\/)index\.html?$/i, '$1') || address;
}

function pageOfFile(path: string, dialect: DialectName): string {
  return path
    .replace(dialects[dialect].contentFolder, '')
    .replace(/\.[^./]+$/, '')
    .replace(/(^|\/)_?index$/i, '');
}

const coverNames = [
  ...'cover image heroImage hero featured_image featuredImage feature_image cover_image'.split(' '),
  ...'coverImage thumbnail banner header images'.split(' '),
];

function readFile(file: MarkdownFile, dialect: DialectName): FrontMatter {
  if (dialect === 'pelican') return readPelicanFile(file);
  if (dialect === 'hugo') {
    const { data, ...read } = readFrontMatter(file.text);
    return { ...read, data: withHugoNames(data) };
  }
  return readFrontMatter(dialect === 'hexo' ? withOpeningLine(file.text) : file.text);
}

/** The slug in the front matter, else the last part of the old address. */
function slugOf(fields: Fields, oldPath: string | null): string | null {
  return lastSegment(fields.text('slug')) ?? lastSegment(oldPath?.replace(/(\/index)?\.html?$/i, '') ?? null);
}

/** The address in the post's own front matter: `path`, `permalink`, `url`, or a `slug` that is a path. */
function oldPathOf(fields: Fields, site: MarkdownSite): string | null {
  const slug = fields.text('slug');
  const own = [fields.text('path'), fields.permalink('permalink'), fields.permalink('url')];
  const written = own.find((address) => address !== null && !isForeign(address, site));
  return written ?? (slug?.includes('/') && site.dialect !== 'docusaurus' ? slug : null);
}

/**
 * True for an address of another site, such as the page that a note quotes. Notes of Obsidian have no address of their
 * own. Of any other site whose address is unknown, absolute addresses are taken for its own.
 */
function isForeign(address: string, { dialect, siteUrl }: MarkdownSite): boolean {
  if (!/^(?:https?:)?\/\//i.test(address)) return false;
  if (siteUrl === '') return dialect === 'obsidian';
  return !URL.canParse(address, siteUrl) || hostOf(new URL(address, siteUrl)) !== hostOf(new URL(siteUrl));
}

/**
 * True for a file that its generator publishes as a page. Such files have no date, except in Hexo, whose posts are all in
 * `_posts`, and in Pelican. Jekyll publishes the files of its collections as pages.
 */
function isPageOf(
  { folder = '', site: { dialect, permalinkOf } }: MarkdownContext,
  { path, date, hasLayout }: { path: string; date: Date | null; hasLayout: boolean },
): boolean {
  if (date !== null && dialect !== 'hexo' && dialect !== 'pelican') return false;
  if (dialect === 'jekyll' && Object.hasOwn(permalinkOf, path.split('/')[0]!)) return true;
  // The dialect may be a guess from the syntax of the texts; then a file without a layout need not be a page.
  if (dialect === 'jekyll' && !hasLayout) return false;
  const isHome = /^(?:(?:.*\/)?(?:content|source|src|pages)\/)?_?index\.\w+$/i.test(path);
  return !isHome && (dialects[dialect].pages?.test(`${folder}/${path}`) ?? false);
}

/** Day and name of a file such as `2014-09-15-Rust-1.0.md`; of its folder for `index.md`. */
function nameOf(path: string): { day: string | null; rest: string } {
  const segments = path.split('/');
  const file = segments.pop()!.replace(/\.[^.]+$/, '');
  const isIndex = /^(?:_?index|\+page)$/i.test(file);
  return dayInName((isIndex ? segments.pop() : undefined) ?? file);
}

/** Removes the numbers by which Nuxt orders files and folders, as in `1.blog/2. hello.md`. */
function withoutOrder(path: string): string {
  return path.replace(/(^|\/)\d+\.\s*(?=[^/]+(?:\/|\.\w+$))/g, '$1');
}

/** The title in the front matter, else a heading at the start of the text, which is removed from it, else the file's name. */
function titleOf(written: string | null, body: string, name: string): { title: string; body: string } {
  if (written !== null) return { title: written, body };
  const heading = /^\s*# +([^\n]+?)(?: +#+)? *(?:\n+|$)/.exec(body);
  if (heading) return { title: heading[1]!, body: body.slice(heading[0].length) };
  return { title: name.replace(/[-_]+/g, ' ').trim(), body };
}

/** The last part of a path that can be a slug. Exporters of WordPress write paths percent-encoded. */
function lastSegment(path: string | null): string | null {
  const segments = path?.split('/').map((segment) => decodePath(segment) ?? segment);
  return segments?.findLast((segment) => toSlug(segment) !== '') ?? null;
}

/** Leaves out fields that the file does not have. */
function withoutNulls<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

/**
 * The guid of a post in the feed that the generator made, so that feed readers do not show the post as new. Blank if the
 * address of the old site is unknown.
 * @param address of the post at the old site: a path or an absolute URL
 */
function oldGuid(
  { site: { dialect, siteUrl, basePath }, timeZone }: { site: MarkdownSite; timeZone: string },
  { address, slug, date }: { address: string; slug: string; date: Date | null },
): string {
  if (siteUrl === '' || !hasFeed.has(dialect)) return '';
  const path = dialect === 'jekyll' ? idOfJekyll(address, basePath, slug) : address;
  if (!URL.canParse(path, `${siteUrl}/`)) return '';
  const url = new URL(path, `${siteUrl}/`);
  if (dialect !== 'pelican') return url.href;
  const day = date === null ? '' : `,${toLocalTime(date, timeZone).slice(0, 10)}`;
  return `tag:${url.hostname}${day}:${url.pathname}/`;
}

// `jekyll-feed` uses Jekyll's post id: the folder of the address and the slug, without a file extension.
function idOfJekyll(address: string, basePath: string, slug: string): string {
  const path = address.replace(/\/+$/, '').replace(/[^/]*$/, '') + slug;
  return basePath !== '' && !path.startsWith(`${basePath}/`) ? basePath + path : path;
}
