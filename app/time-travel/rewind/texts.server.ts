import { randomUUID } from 'node:crypto';
import {
  changePublicContent,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import type { RecordedTextChange } from '#app/publishing/change/text-changes.server.ts';
import { hasTarget, writeTexts } from '#app/publishing/releases/apply-texts.server.ts';
import { moveToLanguageLists, languageKeys } from '#app/publishing/settings/write.server.ts';
import type { TextSnapshot } from '#app/releases/item-changes.ts';
import { rewindTermChange, rewindTermTexts } from './terms.server.ts';

/**
 * Takes settings, terms, authors and redirects of a copy back to an instant, by undoing the later changes in reverse
 * order.
 * @param later the recorded changes after the instant, oldest first
 */
export async function rewindTexts(
  scratch: PublishingContext,
  instant: Date,
  later: readonly RecordedTextChange[],
): Promise<void> {
  if (later.length === 0) return;
  await changePublicContent(scratch, async (change) => {
    change.affectsEveryPage();
    for (const recorded of later.toReversed()) {
      if (!('texts' in recorded)) {
        await rewindTermChange(change, recorded, instant);
        continue;
      }
      const { kind, subjectId, texts } = recorded;
      const { since } = texts.before;
      if (kind === 'category' || kind === 'tag')
        await rewindTermTexts(change, { kind, id: subjectId, before: texts.before, instant });
      // A redirect that was made after the instant. An earlier record tells what was there before it, if anything was.
      else if (kind === 'redirect' && since && new Date(since) > instant)
        await writeTexts(change, kind, subjectId, { to: null });
      else if (await hasTarget(change, kind, texts.before)) {
        await writeTexts(change, kind, subjectId, texts.before);
        if (kind === 'author') await rewindUsername(change, subjectId, texts.before);
      }
    }
    if (later.some(({ subjectId }) => languageKeys.has(subjectId))) await moveToLanguageLists(change);
  });
}

/**
 * Restores a username. An account that has taken the name since gets another one in the copy. Only a command changes
 * usernames, so releases need not do this.
 */
async function rewindUsername({ tx }: PublicChange, id: string, { username }: TextSnapshot): Promise<void> {
  if (!username) return;
  await tx.user.updateMany({
    where: { username, id: { not: id } },
    data: { username: `${username}-${randomUUID()}` },
  });
  await tx.user.updateMany({ where: { id }, data: { username } });
}
