import { AppError } from '#app/platform/errors.ts';

/** The roles, the one with the most permissions first. */
export const roles = ['administrator', 'editor', 'author', 'contributor'] as const;
export type Role = (typeof roles)[number];

/**
 * Every permission and the roles that have it. The screen table says which permission a screen needs; the functions
 * below decide about a single post or file.
 */
const permissions = {
  /** Write own posts; without `posts:publish` only drafts. */
  'posts:write': ['administrator', 'editor', 'author', 'contributor'],
  /** Publish or schedule own posts, and change them afterwards. */
  'posts:publish': ['administrator', 'editor', 'author'],
  /** Write and publish everybody's posts. */
  'posts:all': ['administrator', 'editor'],
  'media:upload': ['administrator', 'editor', 'author', 'contributor'],
  /** Describe, replace and delete everybody's files; without it only own files. */
  'media:all': ['administrator', 'editor'],
  'taxonomy:manage': ['administrator', 'editor'],
  'users:manage': ['administrator'],
  'settings:manage': ['administrator'],
  'system:read': ['administrator'],
  'audit:read': ['administrator'],
} as const satisfies Record<string, readonly Role[]>;

type Permission = keyof typeof permissions;

/** What permissions need to know of a user. */
export interface Actor {
  id: string;
  role: Role;
}

/** The roles that have a permission. */
export function rolesWith(permission: Permission): readonly Role[] {
  return permissions[permission];
}

/** Whether a person's role has a permission; `mayActOnPost` decides about a single post. */
export function may(actor: Pick<Actor, 'role'>, permission: Permission): boolean {
  return rolesWith(permission).includes(actor.role);
}

/** What a user does with a post: view it, or press one of the post form's buttons. */
export type PostAction =
  | 'view'
  | 'preview'
  | 'save'
  | 'draft'
  | 'schedule'
  | 'publish'
  | 'archive'
  | 'delete';

/** What permissions need to know of a post; null: a new post. */
export type OwnedPost = { authorId: string | null; status: string } | null;

const quietActions: ReadonlySet<PostAction> = new Set(['save', 'draft', 'delete']);

/** The rule for a single post. `post.status` is the state before the action. */
export function mayActOnPost(actor: Actor, post: OwnedPost, action: PostAction): boolean {
  if (may(actor, 'posts:all')) return true;
  if (!may(actor, 'posts:write')) return false;
  if (post && post.authorId !== actor.id) return false;
  if (action === 'view' || action === 'preview' || may(actor, 'posts:publish')) return true;
  return quietActions.has(action) && (post === null || post.status === 'draft');
}

/** The rule for changing a single file of the media library; everybody may view files. */
export function mayChangeMedia(actor: Actor, media: { uploadedById: string | null }): boolean {
  return may(actor, 'media:all') || (may(actor, 'media:upload') && media.uploadedById === actor.id);
}

/** @throws AppError `forbidden` when this person may not do that with this post (null: a new one). */
export function requirePostAccess(actor: Actor, post: OwnedPost, action: PostAction): void {
  if (mayActOnPost(actor, post, action)) return;
  throw new AppError(
    'forbidden',
    post && post.authorId !== actor.id
      ? 'This post belongs to another person.'
      : 'Your role can’t publish. Ask an editor to publish this post.',
  );
}

/** Condition for the posts of which this person may know: public ones, and those that the backend shows them. */
export function postsKnownTo(actor: Actor) {
  return may(actor, 'posts:all') ? {} : { OR: [{ status: 'published' }, { authorId: actor.id }] };
}

/** Condition for lists: the posts that this person may see in the backend. */
export function postsVisibleTo(actor: Actor): { authorId?: string } {
  return may(actor, 'posts:all') ? {} : { authorId: actor.id };
}
