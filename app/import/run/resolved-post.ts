import type { ValidPost } from '#app/import/model/post.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { PostStatus } from '#app/posts/fields/states.ts';
import type { RenderedBody } from '#app/publishing/post-row/body.server.ts';

/** A category or a tag of a source. Its aliases are decoded paths. */
export type ResolvedTerm = ValidPost['tags'][number];

/** A reader's comment, rendered. */
export type ResolvedComment = ValidPost['comments'][number] & { html: string };

/** An author of a source. */
export type ImportedAuthor = NonNullable<ValidPost['author']>;

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
