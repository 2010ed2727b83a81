import type { PostFields } from '#app/posts/fields.ts';
import type { RenderedMarkdown } from '#app/posts/markdown.server.ts';
import type { PostStatus } from '#app/posts/states.ts';

/** A category or a tag of a source. */
export interface ResolvedTerm {
  name: string;
  slug: string;
  /** Paths, decoded, that shall lead to it. */
  aliases: string[];
  description: string;
}

/** A reader's comment, rendered. */
export interface ResolvedComment {
  /** Which of the comments before it it answers. */
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
  /** The source gives the username, so it tells two authors of one name apart. */
  hasUsername: boolean;
  /** Blank: unknown. */
  email: string;
  bio: string;
}

/** A post from elsewhere, checked and rendered, its media stored. */
export interface ResolvedPost {
  source: string;
  /** Its identity at the source. */
  key: string;
  hash: string;
  /** The post that an earlier run made of it. */
  postId: string | null;
  /** The path of the page above, also where a dry run has no row of it; blank without one. */
  parentPath: string;
  /** `slug` is what the address should be made of. */
  fields: Omit<PostFields, 'categoryId'>;
  rendered: RenderedMarkdown;
  status: PostStatus;
  /** When readers last saw it change, where the source knows. */
  updatedAt: Date | null;
  category: ResolvedTerm | null;
  /** In the order of `fields.tags`. */
  tags: ResolvedTerm[];
  author: ImportedAuthor | null;
  /** Of those whom `fields.authors` names. */
  accounts: ImportedAuthor[];
  /** Paths, decoded, that shall lead to the post. */
  aliases: string[];
  /** Of its feed item at the source; blank: unknown. */
  guid: string;
  comments: ResolvedComment[];
}
