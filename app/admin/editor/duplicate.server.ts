import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/screen.ts';
import { duplicatePost } from '#app/publishing/duplicate-post.server.ts';
import { savedPost } from './editor-result.ts';
import { findPostFor } from './find-post.server.ts';

/** Only a submitted form duplicates a post, so that a link can't. A GET leads to the post itself. */
export async function load({ app, params, user, adminContext }: ScreenArguments): Promise<Response> {
  const { id } = await findPostFor(app, user, params.id);
  return redirect(adminUrl(adminContext.adminPath, 'posts', id));
}

/** Makes a draft of a post and leads to it. */
export async function act({ app, params, user, adminContext, address }: ActionArguments): Promise<Done> {
  const { id: postId } = await findPostFor(app, user, params.id);
  return savedPost(adminContext, await duplicatePost(app, { postId, editorId: user.id, address }));
}
