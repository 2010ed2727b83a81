import { newId } from '#app/platform/clock.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';

const RUN_RETENTION_MS = 90 * DAY_MS;

/** What started a run: the command, the internal route, or a server by itself. */
export type TriggerSource = 'command' | 'route' | 'server';

/** A publication run that has begun. */
export interface Run {
  id: string;
  startedAt: Date;
}

/** Records the start of a trigger; a publication run without an end was killed. */
export async function beginRun(app: PublishingContext, source: TriggerSource, startedAt: Date): Promise<Run> {
  const id = newId(app.clock);
  await app.db.publishRun.create({ data: { id, source, startedAt } });
  return { id, startedAt };
}

/**
 * Records how a run ended, and deletes old runs. It never throws: the publications are committed, and the report must
 * reach the caller.
 * @param error why it stopped; `''` for success
 */
export async function finishRun(
  app: PublishingContext,
  { id, startedAt }: Run,
  counts: { published: number; changed: number },
  error = '',
): Promise<void> {
  const finishedAt = app.clock.now();
  try {
    await app.db.publishRun.update({
      where: { id },
      data: {
        finishedAt,
        durationMs: finishedAt.getTime() - startedAt.getTime(),
        publishedCount: counts.published,
        affectedCount: counts.published + counts.changed,
        error,
      },
    });
    const cutOff = new Date(startedAt.getTime() - RUN_RETENTION_MS);
    await app.db.publishRun.deleteMany({ where: { startedAt: { lt: cutOff } } });
  } catch (failure) {
    app.log.warn({ reason: messageOf(failure) }, 'The end of a publication run could not be recorded');
  }
}
