import type { HiddenChange } from '#app/publishing/change/public-change.server.ts';
import { savedMeanwhile } from '#app/publishing/post-row/row.server.ts';
import { showsText, textVersionOf } from '#app/releases/text-version.server.ts';
import type { NewItem } from './edit.server.ts';

/**
 * Rejects a save to a release that would replace what was stored there since the form was opened. The transaction has
 * locked the release.
 * @param input.textVersion the text version that the form shows; absent for a script
 * @param wanted what the save stores. A release that has just that got it from the same form, sent twice.
 * @returns the text version of what the save stores
 * @throws AppError `conflict`
 */
export async function requireTextVersion(
  { tx }: HiddenChange,
  input: { postId: string; releaseId: string; textVersion?: string },
  wanted: Required<Pick<NewItem, 'action' | 'fields'>>,
): Promise<string> {
  const { postId: subjectId, releaseId, textVersion } = input;
  const stored = textVersionOf({ releaseId, ...wanted });
  if (textVersion === undefined) return stored;
  const item = await tx.releaseItem.findUnique({
    where: { releaseId_kind_subjectId: { releaseId, kind: 'post', subjectId } },
    select: { releaseId: true, action: true, fields: true },
  });
  if (item && textVersionOf(item) !== stored && !showsText(textVersion, item)) throw savedMeanwhile();
  return stored;
}
