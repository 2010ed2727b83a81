import type { App } from '#app/app.ts';
import { checkItems, summariseProblems } from './check-release.server.ts';
import { readItems } from './queries.server.ts';

/** Releases that are checked for a screen or a probe. */
const CHECKED_MAX = 50;
/** Releases that a command checks. */
export const ALL_RELEASES = 10_000;

/** A scheduled release. `problem` says what blocks it, `''` when nothing does. */
export interface ScheduledRelease {
  id: string;
  name: string;
  publishAt: Date;
  problem: string;
}

/**
 * Scheduled releases in the order of their times, each checked as it is now.
 * @param until only those whose time is not later
 */
export async function listScheduledReleases(
  app: Pick<App, 'db'>,
  until?: Date,
  limit = CHECKED_MAX,
): Promise<ScheduledRelease[]> {
  const rows = await app.db.release.findMany({
    where: { status: 'scheduled', publishAt: until ? { lte: until } : { not: null } },
    orderBy: [{ publishAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, publishAt: true, problem: true },
    take: limit,
  });
  const checked: ScheduledRelease[] = [];
  for (const { id, name, publishAt, problem } of rows) {
    const now = summariseProblems(await checkItems(app.db, await readItems(app, id)));
    // Problems that only the publication finds (a text that cannot be rendered) are known from the last trigger.
    checked.push({ id, name, publishAt: publishAt!, problem: now || problem });
  }
  return checked;
}

/** Scheduled releases, those whose time is past and that cannot be published, and the next time; for the metrics. */
export async function countReleases(app: Pick<App, 'db' | 'clock'>) {
  const now = app.clock.now();
  const [scheduled, due, next] = await Promise.all([
    app.db.release.count({ where: { status: 'scheduled' } }),
    listScheduledReleases(app, now),
    app.db.release.aggregate({
      where: { status: 'scheduled', publishAt: { gt: now } },
      _min: { publishAt: true },
    }),
  ]);
  return {
    scheduled,
    blocked: blockedOf(due).length,
    nextDueAt: next._min.publishAt?.toISOString() ?? null,
  };
}

/** The releases that cannot be published, as `posts:status` and `releases:status` print them. */
export function blockedOf(releases: ScheduledRelease[]) {
  return releases
    .filter(({ problem }) => problem !== '')
    .map(({ id, name, publishAt, problem }) => ({ id, name, publishAt: publishAt.toISOString(), problem }));
}

/** True when a release's time is past and it cannot be published, or it is so late that somebody must look. */
export function shouldAlertReleases(
  releases: ScheduledRelease[],
  now: Date,
  overdueAfterMs: number,
): boolean {
  return releases.some(({ publishAt, problem }) => {
    const late = now.getTime() - publishAt.getTime();
    return problem === '' ? late > overdueAfterMs : late >= 0;
  });
}
