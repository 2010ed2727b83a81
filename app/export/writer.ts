import type { ExportedAccount, ExportedPost } from './post.ts';

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
