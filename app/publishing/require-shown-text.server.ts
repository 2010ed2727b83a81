import { isTextShown, nameOfText } from '#app/releases/shown-text.server.ts';
import type { NewItem } from './edit-release.server.ts';
import { savedMeanwhile } from './post-row.server.ts';
import type { PublicChange } from './public-change.server.ts';

/**
 * Rejects a save to a release that would replace what was stored there since the form was opened. The transaction has
 * locked the release.
 * @param input.shownText the text that the form shows (`nameOfText`); absent for a script
 * @param wanted what the save stores. A release that has just that got it from the same form, sent twice.
 * @returns the name of the text that the release then has
 * @throws AppError `conflict`
 */
export async function requireShownText(
  { tx }: PublicChange,
  input: { postId: string; releaseId: string; shownText?: string },
  wanted: Required<Pick<NewItem, 'action' | 'fields'>>,
): Promise<string> {
  const { postId: subjectId, releaseId, shownText } = input;
  const stored = nameOfText({ releaseId, ...wanted });
  if (shownText === undefined) return stored;
  const item = await tx.releaseItem.findUnique({
    where: { releaseId_kind_subjectId: { releaseId, kind: 'post', subjectId } },
    select: { releaseId: true, action: true, fields: true },
  });
  if (item && nameOfText(item) !== stored && !isTextShown(shownText, item)) throw savedMeanwhile();
  return stored;
}
