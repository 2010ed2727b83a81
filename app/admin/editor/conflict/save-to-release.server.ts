import { missingVersion, type EditorIntent, type PostForm } from '#app/admin/editor/model/form.server.ts';
import type { SavedRow } from '#app/admin/editor/saving/autosave.server.ts';
import type { ActionArguments } from '#app/admin/frame/screen.ts';
import { requireReleasable } from '#app/admin/releases/saving.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import {
  addPostsToRelease,
  archivePostInRelease,
  keepChangeInRelease,
} from '#app/publishing/releases/items.server.ts';

/** Whether a form is saved to its release. Buttons with other intents act now or at the form's time. */
export function isForRelease({ releaseId, intent }: PostForm, status: string): boolean {
  if (releaseId === null) return false;
  const intents: EditorIntent[] =
    status === 'published' ? ['save', 'archive'] : status === 'draft' ? ['save', 'draft'] : ['save'];
  return intents.includes(intent);
}

type ReleaseForm = Pick<PostForm, 'intent' | 'fields' | 'version' | 'autosavedAt' | 'releaseId'> &
  Partial<Pick<PostForm, 'takeOverSlug' | 'exactTimes' | 'textVersion'>>;

/**
 * Saves the form of a post to a release. For a published post the release stores the changed fields, or that it
 * archives the post; readers see neither before the release is published. Any other post is saved, and the release
 * publishes it.
 * @throws AppError `forbidden`; `conflict`; `invalid_input` on `releaseId` for a release that is missing or published
 */
export async function saveToRelease(
  args: Pick<ActionArguments, 'app' | 'user' | 'address'>,
  row: SavedRow,
  form: ReleaseForm,
): Promise<{ id: string; version: number; status: string; textVersion?: string }> {
  const { app, user, address } = args;
  const { intent, fields, version, takeOverSlug, textVersion } = form;
  const releaseId = form.releaseId!;
  await requireReleasable(app, user, row, releaseId);
  if (version === undefined) throw missingVersion();
  const { autosavedAt: includedUntil, exactTimes } = form;
  const save = { postId: row.id, version, fields, editorId: user.id, includedUntil, exactTimes };
  if (row.status !== 'published') {
    const saved = await editPost(app, { ...save, intent: 'save', takeOverSlug, address });
    await addPostsToRelease(app, { releaseId, postIds: [row.id], editorId: user.id });
    return saved;
  }
  const kept = await (intent === 'archive'
    ? archivePostInRelease(app, { ...save, releaseId, textVersion })
    : keepChangeInRelease(app, { ...save, releaseId, textVersion }));
  return { id: row.id, status: row.status, ...kept };
}
