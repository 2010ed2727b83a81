import { toSlug } from '#app/platform/text/slug.ts';
import {
  frontMatterFieldNames,
  postFields,
  type FrontMatterFieldName,
  type PostFields,
  pickFields,
} from '#app/posts/fields/fields.ts';
import { writeFrontMatter } from './front-matter.ts';
import { EXPORTED_BY } from './targets.ts';

/** A post as the export reads it; addresses in it already point into the export's folder. */
interface ExportedPost extends Pick<PostFields, FrontMatterFieldName> {
  title: string;
  slug: string;
  excerpt: string;
  body: string;
  status: string;
  publishedAt: Date | null;
  archiveAt: Date | null;
  contentUpdatedAt: Date;
  category: ExportedTerm | null;
  tags: ExportedTerm[];
  /** `isNamesake`: another author has the same name. `email`: blank when it is not an address. */
  author: (ExportedAccount & { isNamesake: boolean }) | null;
  type: string;
  /** Of a page: the path of its parent; blank: none. */
  parent: string;
  /** A BCP 47 tag; blank for the site's language. */
  language: string;
  /** The path of the post that it translates; blank: none. */
  translationOf: string;
  /** Usernames, or names of guests, in order; empty: `author` alone. */
  authors: string[];
  /** Those of `authors` who have accounts. */
  accounts: ExportedAccount[];
  /** The path of the cover, relative to the post's file. */
  cover: string | null;
  /** Old paths, decoded. */
  redirects: string[];
  /** The guid of its feed item at the site that it was imported from. */
  guid: string;
  comments: ExportedComment[];
}

interface ExportedAccount {
  displayName: string;
  username: string;
  email: string;
  bio: string;
}

export interface ExportedComment {
  /** The index of the earlier comment that it answers. */
  parent: number | null;
  name: string;
  /** Markdown. */
  text: string;
  /** The rendered text. */
  html: string;
  writtenAt: Date;
}

/**
 * A post as a Markdown file; an import of it gives the same post. A category, tag or author that the name alone does
 * not identify has its slug beside the name.
 */
export function markdownFileOf(post: ExportedPost): string {
  return writeFrontMatter({ data: frontMatterOf(post), body: post.body.replace(/\r\n?/g, '\n') });
}

/** The front matter of a post's Markdown file, under the names that an import reads. */
export function frontMatterOf(post: ExportedPost) {
  const { category, author } = post;
  return {
    title: post.title,
    slug: post.slug,
    date: iso(post.publishedAt),
    updated: iso(post.contentUpdatedAt),
    status: post.status,
    archive_at: iso(post.archiveAt),
    category: category && category.name,
    category_slug: category && unlessObvious(category),
    tags: post.tags.map(({ name }) => name),
    tag_slugs: slugsOf(post.tags),
    author: author && author.displayName,
    author_username: author && usernameOf(author),
    authors: post.authors,
    type: post.type === 'page' ? 'page' : null,
    parent: post.parent,
    language: post.language,
    translation_of: post.translationOf,
    excerpt: post.excerpt,
    cover: post.cover,
    ...Object.fromEntries(
      frontMatterFieldNames.map((name) => [postFields[name].frontMatter[0], post[name]] as const),
    ),
    aliases: [...post.redirects].sort().map(encodeAlias),
    guid: post.guid,
    // Without this field an import takes the first of `authors` for the person who created the post.
    exported_by: author === null && post.authors.length > 0 ? EXPORTED_BY : null,
  };
}

function usernameOf({ displayName, username, isNamesake }: NonNullable<ExportedPost['author']>) {
  return isNamesake ? username : unlessObvious({ name: displayName, slug: username });
}

function unlessObvious({ name, slug }: Pick<ExportedTerm, 'name' | 'slug'>): string | null {
  return toSlug(name) === slug ? null : slug;
}

// All slugs in the order of the names: two tags of one post may share a name.
function slugsOf(tags: ExportedTerm[]): string[] {
  return tags.some((tag) => unlessObvious(tag) !== null) ? tags.map(({ slug }) => slug) : [];
}

/** An old path as an alias. An import decodes aliases and removes their query, so `%`, `?`, `#` and spaces are encoded. */
function encodeAlias(path: string): string {
  return path.replace(/[%?#\s]/g, encodeURIComponent);
}

function iso(time: Date | null): string | null {
  return time && time.toISOString();
}

/** The site's own data in an export. */
export interface ExportedSite {
  title: string;
  description: string;
  language: string;
  /** Without a slash at the end. */
  url: string;
  now: Date;
  categories: ExportedTerm[];
  tags: ExportedTerm[];
  /** Everybody who created a post or is named as an author of one. */
  authors: ExportedAuthor[];
}

export interface ExportedTerm {
  name: string;
  slug: string;
  description: string;
}

export interface ExportedAuthor extends ExportedAccount {
  /** True when posts name the author in `authors`, by the username. */
  isNamed: boolean;
}

/** A post to export, with data that only some formats hold. */
export interface OutgoingPost extends ExportedPost {
  id: string;
  createdAt: Date;
  /** Its public path here. */
  path: string;
  /** The name of its file without an ending; of a page, below the pages above it. */
  fileName: string;
  /** As readers see it. */
  bodyHtml: string;
}

/** A file of an export: its path below the output folder, and its text. */
export interface ExportedFile {
  file: string;
  text: string;
}

/** Writes a site in one format. Gets the posts in the order of their ids. */
export interface ExportWriter {
  /** The files that the post becomes. */
  filesOf(post: OutgoingPost): ExportedFile[];
  /** The post's part of the file that contains all posts. */
  partOf?(post: OutgoingPost): string;
  /** The file's text before the posts, and, once they are known, after them. */
  whole?: { file: string; start: string; end: () => string };
  /** Files that are written when all posts are known. */
  lastFiles?(): ExportedFile[];
}

/** The file for the post's comments, beside the post's own; no file without comments. An import reads it. */
export function commentFile(post: OutgoingPost, file: string): ExportedFile[] {
  return post.comments.length === 0 ? [] : [{ file, text: json(post.comments.map(withoutHtml)) }];
}

/** Descriptions of categories, tags and authors; no file without them. An import reads them. */
export function siteDataFiles({ categories, tags, authors }: ExportedSite, folder: string): ExportedFile[] {
  const described = [categories, tags].map((terms) => terms.filter(({ description }) => description !== ''));
  const people = authors
    .filter(({ bio, isNamed }) => bio !== '' || isNamed)
    .map(({ displayName: name, username, bio }) => ({ name, username, bio }));
  return [
    ...(described.some((terms) => terms.length > 0)
      ? [{ file: `${folder}terms.json`, text: json({ categories: described[0], tags: described[1] }) }]
      : []),
    ...(people.length > 0 ? [{ file: `${folder}authors.json`, text: json(people) }] : []),
  ];
}

/** A comment as an import reads it. */
function withoutHtml({ parent, name, text, writtenAt }: ExportedComment) {
  return { parent, name, text, writtenAt };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * A post as JSON inside the file of another system. An import restores from it what the file has no field for.
 * `import/model/portable` reads it.
 */
export function toPortable(post: ExportedPost) {
  const { author } = post;
  return {
    title: post.title,
    slug: post.slug,
    body: post.body,
    excerpt: post.excerpt,
    status: post.status,
    publishedAt: post.publishedAt,
    archiveAt: post.archiveAt,
    updatedAt: post.contentUpdatedAt,
    category: post.category,
    tags: post.tags,
    author: author && accountOf(author),
    cover: post.cover,
    type: post.type,
    parent: post.parent,
    language: post.language,
    translationOf: post.translationOf,
    authors: post.authors,
    accounts: post.accounts.map(accountOf),
    ...pickFields(post, frontMatterFieldNames),
    aliases: [...post.redirects].sort().map(encodeAlias),
    guid: post.guid,
    comments: post.comments.map(withoutHtml),
  };
}

function accountOf({ displayName: name, username, bio, email }: ExportedAccount) {
  return { name, username, bio, email };
}
