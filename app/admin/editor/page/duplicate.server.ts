import { redirect } from '@remix-run/node';
import { savedPost } from '#app/admin/editor/conflict/result.ts';
import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { duplicatePost } from '#app/publishing/posts/duplicate.server.ts';

/** Redirects a GET to the post itself: only a submitted form may duplicate a post, not a link. */
export async function load({ app, params, user, adminContext }: ScreenArguments): Promise<Response> {
  const { id } = await findPostFor(app, user, params.id);
  return redirect(adminUrl(adminContext.adminPath, 'posts', id));
}

export async function act({ app, params, user, adminContext, address }: ActionArguments): Promise<Done> {
  const { id: postId } = await findPostFor(app, user, params.id);
  return savedPost(adminContext, await duplicatePost(app, { postId, editorId: user.id, address }));
}
