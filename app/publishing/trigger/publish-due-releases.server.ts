import { writeAudit } from '#app/people/audit/audit.server.ts';
import { databaseReason, outageReason } from '#app/platform/database/failure.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { inEnglish, type Message } from '#app/platform/message.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { changeHidden, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { byTrigger } from '#app/publishing/post-row/audit.server.ts';
import type { AppliedPosts } from '#app/publishing/releases/apply-posts.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';

/** A release whose time has come. */
export interface DueRelease {
  id: string;
  name: string;
  publishAt: Date;
}

/** The earliest due release that is not among `besides`; null when there is none. */
export async function nextDueRelease(
  app: Pick<PublishingContext, 'db'>,
  dueAt: Date,
  besides: readonly string[],
): Promise<DueRelease | null> {
  const row = await app.db.release.findFirst({
    where: { status: 'scheduled', publishAt: { lte: dueAt }, id: { notIn: [...besides] } },
    orderBy: [{ publishAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, publishAt: true },
  });
  return row && { ...row, publishAt: row.publishAt! };
}

/**
 * Publishes a due release. A release that cannot be published stays scheduled, with the reason on its screen and in the
 * log.
 * @returns null when it was not published here: it is blocked, or another trigger has claimed it
 */
export async function publishDueRelease(
  app: PublishingContext,
  { id }: DueRelease,
  dueAt: Date,
): Promise<AppliedPosts | null> {
  try {
    return await publishRelease(app, { id, dueAt, by: byTrigger });
  } catch (error) {
    // An outage is no fault of this release.
    if (outageReason(error) !== null) throw error;
    await noteProblem(app, id, isAppError(error) ? error.said : databaseReason(error));
    return null;
  }
}

/** Stores why a release could not be published; writes to the audit log when the reason is new. */
async function noteProblem(app: PublishingContext, id: string, message: Message): Promise<void> {
  const [problem, reason] = [toStored(message), inEnglish(message)];
  app.log.error({ releaseId: id, reason }, 'A release cannot be published');
  await changeHidden(app, async ({ tx }) => {
    const [row] = await tx.release.updateManyAndReturn({
      where: { id, status: 'scheduled', problem: { not: problem } },
      data: { problem },
    });
    if (row)
      await writeAudit(tx, app.clock, {
        action: 'release.blocked',
        by: byTrigger,
        subject: row.name,
        details: reason,
      });
  });
}
