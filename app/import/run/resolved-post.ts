import type { PostFields } from '#app/posts/fields/fields.ts';
import type { PostStatus } from '#app/posts/fields/states.ts';
import type { RenderedBody } from '#app/publishing/post-row/body.server.ts';

/** A category or a tag of a source. */
export interface ResolvedTerm {
  name: string;
  slug: string;
  /** The slug is made from the name, so the name says which term it is. */
  isByName: boolean;
  /** Decoded paths that redirect to it. */
  aliases: string[];
  description: string;
}

/** A reader's comment, rendered. */
export interface ResolvedComment {
  /** The index of the comment that this one answers, among those before it. */
  parent: number | null;
  name: string;
  text: string;
  html: string;
  writtenAt: Date;
}

/** An author of a source. */
export interface ImportedAuthor {
  name: string;
  username: string;
  /** The source has usernames, so two authors with one name can be told apart. */
  hasUsername: boolean;
  /** Blank: unknown. */
  email: string;
  bio: string;
}

/** A post from a source: checked and rendered, with its media stored. */
export interface ResolvedPost {
  source: string;
  /** Identifies the post at the source. */
  key: string;
  hash: string;
  /** The post that an earlier run created from it. */
  postId: string | null;
  /** The path of the parent page; blank without one. In a dry run, that page may have no row yet. */
  parentPath: string;
  /** The address is made from `slug`. */
  fields: Omit<PostFields, 'categoryId'>;
  rendered: RenderedBody;
  status: PostStatus;
  /** When readers last saw it change, if the source knows. */
  updatedAt: Date | null;
  category: ResolvedTerm | null;
  /** The tags in the order of `fields.tags`. */
  tags: ResolvedTerm[];
  author: ImportedAuthor | null;
  /** The accounts of the authors in `fields.authors`. */
  accounts: ImportedAuthor[];
  /** Decoded paths that redirect to the post. */
  aliases: string[];
  /** The id of its feed item at the source; blank: unknown. */
  guid: string;
  comments: ResolvedComment[];
}
