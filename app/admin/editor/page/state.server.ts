import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { findLastEditor, hasOpenedText } from '#app/posts/history/revisions.server.ts';

/**
 * The state of a post. An open editor polls it to notice changes by others (contract, section 8).
 *
 * `?opened=` is the version of a page with the live text: `isSameText` then tells that nothing but the scheduled text was
 * saved since. With `?present=yes` the answer names the others who have the post open.
 */
export async function load({ app, params, user, request }: ScreenArguments): Promise<Response> {
  const row = await findPostFor(app, user, params.id);
  const { version, status, updatedAt } = row;
  const { searchParams } = new URL(request.url);
  const opened = Number(searchParams.get('opened') ?? version);
  const isOther = Number.isInteger(opened) && opened > 0 && opened < version;
  const isSameText =
    isOther && (await hasOpenedText(app, row, { version: opened, live: await readPostFields(app.db, row) }));
  const editedBy = await findLastEditor(app, row);
  const present = app.openPosts.note(row.id, user, app.clock.now());
  return Response.json({
    ...{ version, status, editedBy, updatedAt },
    ...(searchParams.get('present') === 'yes' && { present }),
    ...(isSameText && { isSameText }),
  });
}
