import type { UndoOffer } from '#app/admin/frame/notices.tsx';
import { mayActOnPost, type Actor, type PostAction } from '#app/people/roles.ts';
import { keysOf } from '#app/platform/narrow.ts';
import type { ChangePostsResult } from '#app/publishing/posts/change-many.server.ts';
import type { ReleaseChoice } from '#app/releases/queries.server.ts';

/** The actions on several posts, with their texts in the list and on the confirmation page. */
export const bulkActions = {
  publish: { label: 'Publish now', button: 'Publish {posts}', outcome: 'published' },
  schedule: { label: 'Schedule…', button: 'Schedule {posts}', outcome: 'scheduled' },
  shift: { label: 'Change dates…', button: 'Change the dates of {posts}', outcome: 'scheduled' },
  draft: { label: 'Return to draft', button: 'Return {posts} to draft', outcome: 'draft' },
  archive: { label: 'Archive', button: 'Archive {posts}', outcome: 'archived' },
  release: { label: 'Add to a release…', button: 'Add {posts} to the release', outcome: null },
  tag: { label: 'Add tags…', button: 'Add the tags to {posts}', outcome: null },
  delete: { label: 'Move to trash…', button: 'Move {posts} to the trash', outcome: null },
} as const;

export type BulkAction = keyof typeof bulkActions;

/** What readers notice of each action, for the confirmation page. */
export const consequences: Record<BulkAction, string> = {
  publish: 'They are published immediately: on the site, in feeds, the sitemap and search.',
  schedule: 'They are published at their times. Public ones are hidden until then.',
  shift: 'Only scheduled posts move. They keep their time of day, even when the clocks change.',
  draft: 'Public posts are removed from the site; scheduled ones are no longer published.',
  archive: 'They are removed from the site and stay in the backend. Their addresses return 404.',
  release: 'They are published with the release, together with everything else in it.',
  tag: 'The tags are added to those that a post has.',
  delete: 'They are removed from the site and all lists, and stay in the trash for 30 days.',
};

/** The actions that a user may apply to at least some posts. Each post is checked again. */
export function bulkActionsFor(user: Actor): BulkAction[] {
  const all = keysOf(bulkActions);
  return all.filter((action) => mayActOnPost(user, null, postActions[action]));
}

/** The permission that each action needs for each post. */
export const postActions: Record<BulkAction, PostAction> = {
  publish: 'publish',
  schedule: 'schedule',
  shift: 'schedule',
  draft: 'draft',
  archive: 'archive',
  release: 'schedule',
  tag: 'save',
  delete: 'delete',
};

/** The plan of a bulk action, shown before anything changes. */
export interface BulkPlan {
  action: BulkAction;
  posts: { id: string; title: string; status: string; publishedAt: Date | null; version: number }[];
  /** Number of chosen posts that the user may not change or that no longer exist. */
  missing: number;
  /** Number of chosen posts that already have the action's outcome. */
  already: number;
  /** The open releases, if the action adds posts to a release. */
  releases: ReleaseChoice[];
  /** Names of the releases that a deletion of these posts would block. */
  blocks: string[];
}

/** A post of the plan of which the user has unsaved changes. */
export interface UnsavedPost {
  postId: string;
  title: string;
  at: Date;
}

/** What the screen shows: the plan, the question which text to use, or the posts that could not be changed. */
export interface BulkResult {
  plan: BulkPlan;
  unsaved: UnsavedPost[];
  outcome: ChangePostsResult;
  undo: UndoOffer | null;
}
