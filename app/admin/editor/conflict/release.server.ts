import type { PostForm } from '#app/admin/editor/model/form.server.ts';
import type { App } from '#app/app.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { ChangeInRelease } from '#app/posts/history/conflict.server.ts';
import { readChangedFields } from '#app/publishing/change/present-terms.server.ts';
import { findOpenedChange, showsText, textVersionOf } from '#app/releases/text-version.server.ts';
import { isForRelease } from './save-to-release.server.ts';

/** A refused save to a release that has another text of the post than the form shows. */
export interface ReleaseConflict {
  /** That of the text that the release has now. */
  textVersion: string;
  /** What it changes. @param saved the post at the opened version */
  readChange: (saved: PostFields) => Promise<ChangeInRelease>;
}

/** Null when the conflict is about the post itself. */
export async function readReleaseConflict(
  app: Pick<App, 'db'>,
  { postId, status, form }: { postId: string; status: string; form: PostForm },
): Promise<ReleaseConflict | null> {
  const { releaseId, textVersion } = form;
  if (releaseId === null || textVersion === undefined) return null;
  if (status !== 'published' || !isForRelease(form, status)) return null;
  const item = await app.db.releaseItem.findUnique({
    where: { releaseId_kind_subjectId: { releaseId, kind: 'post', subjectId: postId } },
  });
  if (!item || showsText(textVersion, item)) return null;
  return {
    textVersion: textVersionOf(item),
    readChange: async (saved) => {
      const author = await app.db.user.findUnique({
        where: { id: item.authorId ?? '' },
        select: { displayName: true },
      });
      return {
        opened: await findOpenedChange(app, { postId, releaseId, textVersion }, saved),
        present: (item.action === 'update' && (await readChangedFields(app, item))) || {},
        savedBy: author?.displayName ?? null,
        savedAt: item.updatedAt,
      };
    },
  };
}
