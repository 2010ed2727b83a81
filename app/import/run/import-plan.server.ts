import { PlannedTerms } from '#app/posts/terms/find.server.ts';
import type { TermKind } from '#app/posts/terms/table.server.ts';
import type { ImportedAuthor, ResolvedPost } from './resolved-post.ts';

export interface PlannedPost extends ResolvedPost {
  /** Its address as rows store it: a post's slug, a page's path. */
  address: string;
  /** The aliases that are free and not yet redirects. */
  newRedirects: string[];
}

/** What an import of these posts will do. */
export interface ImportPlan {
  posts: PlannedPost[];
  newCategories: { slug: string; name: string; description: string }[];
  newTags: string[];
  newAuthors: ImportedAuthor[];
  newTermRedirects: TermRedirect[];
  warnings: { key: string; message: string }[];
}

/** An old address of a category or a tag. */
export interface TermRedirect {
  path: string;
  kind: TermKind;
  slug: string;
}

/** What identifies the account of an author. */
export interface KnownAccount {
  email: string;
  username: string;
  displayName: string;
  passwordHash: string | null;
  disabledAt: Date | null;
}

/**
 * Addresses and names that this run has planned and the database does not have yet. A dry run uses them for all
 * batches.
 */
export class Reservations {
  readonly paths = new Map<string, string>();
  readonly categories = new PlannedTerms();
  readonly tags = new PlannedTerms();
  readonly authors: KnownAccount[] = [];
}
