import { toSlug } from '#app/platform/text/slug.ts';
import {
  frontMatterFieldNames,
  postFields,
  type FrontMatterFieldName,
  type PostFields,
} from '#app/posts/fields/fields.ts';
import { writeFrontMatter } from './front-matter.ts';
import { EXPORTED_BY } from './targets.ts';

/** A post as the export reads it; addresses in it already point into the export's folder. */
export interface ExportedPost extends Pick<PostFields, FrontMatterFieldName> {
  title: string;
  slug: string;
  excerpt: string;
  body: string;
  status: string;
  publishedAt: Date | null;
  archiveAt: Date | null;
  contentUpdatedAt: Date;
  category: Named | null;
  tags: Named[];
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

export interface ExportedAccount {
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

interface Named {
  name: string;
  slug: string;
  description: string;
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

function unlessObvious({ name, slug }: Pick<Named, 'name' | 'slug'>): string | null {
  return toSlug(name) === slug ? null : slug;
}

// All slugs in the order of the names: two tags of one post may share a name.
function slugsOf(tags: Named[]): string[] {
  return tags.some((tag) => unlessObvious(tag) !== null) ? tags.map(({ slug }) => slug) : [];
}

/** An old path as an alias. An import decodes aliases and removes their query, so `%`, `?`, `#` and spaces are encoded. */
export function encodeAlias(path: string): string {
  return path.replace(/[%?#\s]/g, encodeURIComponent);
}

function iso(time: Date | null): string | null {
  return time && time.toISOString();
}
