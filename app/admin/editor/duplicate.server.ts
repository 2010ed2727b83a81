import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/screen.ts';
import { duplicatePost } from '#app/publishing/duplicate-post.server.ts';
import { savedPost } from './editor-result.ts';
import { findPostFor } from './find-post.server.ts';

/** Redirects a GET to the post itself: only a submitted form may duplicate a post, not a link. */
export async function load({ app, params, user, adminContext }: ScreenArguments): Promise<Response> {
  const { id } = await findPostFor(app, user, params.id);
  return redirect(adminUrl(adminContext.adminPath, 'posts', id));
}

/** Copies a post to a new draft and redirects to the draft. */
export async function act({ app, params, user, adminContext, address }: ActionArguments): Promise<Done> {
  const { id: postId } = await findPostFor(app, user, params.id);
  return savedPost(adminContext, await duplicatePost(app, { postId, editorId: user.id, address }));
}
