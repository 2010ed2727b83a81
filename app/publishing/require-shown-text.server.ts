import { replacesOthersText } from '#app/releases/shown-text.server.ts';
import { savedMeanwhile } from './post-row.server.ts';
import type { PublicChange } from './public-change.server.ts';

/**
 * Rejects a save to a release that would replace what somebody else has stored there since the form was opened. The
 * transaction has locked the release.
 * @param input.shownText the text that the form shows (`nameOfText`); absent for a script
 * @throws AppError `conflict`
 */
export async function requireShownText(
  { tx }: PublicChange,
  input: { postId: string; releaseId: string; editorId: string | null; shownText?: string },
  intent: 'save' | 'archive',
): Promise<void> {
  const { postId: subjectId, releaseId, editorId, shownText } = input;
  if (shownText === undefined) return;
  const item = await tx.releaseItem.findUnique({
    where: { releaseId_kind_subjectId: { releaseId, kind: 'post', subjectId } },
    select: { releaseId: true, action: true, fields: true, authorId: true },
  });
  // Both want the same.
  if (intent === 'archive' && item?.action === 'archive') return;
  if (item && replacesOthersText(shownText, item, editorId)) throw savedMeanwhile();
}
