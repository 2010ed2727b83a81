import { AppError } from '#app/platform/errors.ts';
import { may, mayActOnPost, type Actor, type OwnedPost, type PostAction } from './roles.ts';

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
