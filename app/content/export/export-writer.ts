import type { ExportedAccount, ExportedPost } from '../export-post.ts';

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
  /** Everybody who has a post or is named by one. */
  authors: ExportedAuthor[];
}

export interface ExportedTerm {
  name: string;
  slug: string;
  description: string;
}

export interface ExportedAuthor extends ExportedAccount {
  /** Named by posts as one of several authors: the names there are usernames. */
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
  /** Files of their own that the post becomes. */
  filesOf(post: OutgoingPost): ExportedFile[];
  /** What is added to the file that holds all posts. */
  partOf?(post: OutgoingPost): string;
  /** The file's text before the posts, and, once they are known, after them. */
  whole?: { file: string; start: string; end: () => string };
  /** Files that are written when all posts are known. */
  lastFiles?(): ExportedFile[];
}
