import { randomUUID } from 'node:crypto';
import type { Db } from '#app/platform/services.ts';
import { trashedId } from '#app/platform/trash-key.ts';
import type { TermKind } from '#app/posts/terms/table.server.ts';
import {
  changePublicContent,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { readChangesSince, type RecordedTextChange } from '#app/publishing/change/text-changes.server.ts';
import { readTermDetails } from '#app/publishing/change/trash-item.ts';
import { hasTarget, writeTexts } from '#app/publishing/releases/apply-texts.server.ts';
import { moveToLanguageLists, languageKeys } from '#app/publishing/settings/write.server.ts';
import type { TextSnapshot } from '#app/releases/item-changes.ts';
import { rewindTermChange, rewindTermTexts } from './terms.server.ts';

/** All recorded changes, oldest first. */
export async function readTextChanges({ db }: Db): Promise<RecordedTextChange[]> {
  const recorded = await readChangesSince({ db }, new Date(0));
  const trashed = await readUnrecordedTrash({ db }, recorded);
  return [...trashed, ...recorded].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Terms that an older version put into the trash. Their only record is the entry in the trash. */
async function readUnrecordedTrash(
  { db }: Db,
  recorded: readonly RecordedTextChange[],
): Promise<RecordedTextChange[]> {
  const recordedTrash = new Set(
    recorded.flatMap(({ kind, subjectId, at }) =>
      kind === 'trashed_term' ? [`${subjectId} ${at.getTime()}`] : [],
    ),
  );
  const items = await db.trashItem.findMany({ where: { kind: { in: ['category', 'tag'] } } });
  return items.flatMap(({ id, kind, details, trashedAt: at }) => {
    const subjectId = trashedId(id);
    const term = readTermDetails(details);
    if (!term || recordedTrash.has(`${subjectId} ${at.getTime()}`)) return [];
    return [{ kind: 'trashed_term' as const, subjectId, termKind: kind as TermKind, term, at }];
  });
}

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
