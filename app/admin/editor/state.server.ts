import type { ScreenArguments } from '#app/admin/screen.ts';
import { findLastEditor } from '#app/posts/revisions.server.ts';
import { findPostFor } from './find-post.server.ts';

/** The state of a post. An open editor polls it to notice changes by others (contract, section 8). */
export async function load({ app, params, user }: ScreenArguments): Promise<Response> {
  const row = await findPostFor(app, user, params.id);
  const { version, status, updatedAt } = row;
  return Response.json({ version, status, editedBy: await findLastEditor(app, row), updatedAt });
}
