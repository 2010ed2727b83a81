import { type Actor, mayActOnPost, roles } from '#app/people/roles.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { isPublic } from '#app/posts/lists/scope.ts';

/** The account that makes a change; null or absent: a command or a trigger, which may know everything. */
type EditorId = string | null | undefined;

/** Whether the account that makes a change may know of a post: it is public, or the account may view it. */
export async function mayKnow(
  tx: Pick<Transaction, 'user'>,
  editorId: EditorId,
  post: { status: string; authorId: string | null },
): Promise<boolean> {
  if (post.status === isPublic.status || editorId == null) return true;
  const editor = await readEditor(tx, editorId);
  return editor !== null && mayActOnPost(editor, post, 'view');
}

/** The account that makes a change; null for a command, a trigger and an account that was deleted meanwhile. */
export async function readEditor(tx: Pick<Transaction, 'user'>, editorId: EditorId): Promise<Actor | null> {
  if (editorId == null) return null;
  const user = await tx.user.findUnique({ where: { id: editorId }, select: { id: true, role: true } });
  return user && { id: user.id, role: oneOf(roles, user.role) };
}

/** A post's title for an error message; `otherwise` for an account that may not know of the post. */
export async function shownTitle(
  tx: Pick<Transaction, 'user'>,
  editorId: EditorId,
  post: { title: string; status: string; authorId: string | null },
  otherwise: string,
): Promise<string> {
  return (await mayKnow(tx, editorId, post)) ? post.title : otherwise;
}
