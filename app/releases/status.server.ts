import { inEnglish, type Message } from '#app/platform/message.ts';
import type { Db, Timed } from '#app/platform/services.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';
import { checkItems, summariseProblems } from './check-release.server.ts';
import { readItems } from './queries.server.ts';

/** Releases that are checked for a screen or a probe. */
const CHECKED_MAX = 50;
/** Releases that a command checks. */
export const ALL_RELEASES = 10_000;

/** A scheduled release. `problem` says what blocks it; `''` if nothing blocks it. */
export interface ScheduledRelease {
  id: string;
  name: string;
  publishAt: Date;
  problem: Message;
}

/**
 * Scheduled releases in the order of their times, each with the problem that a check finds now.
 * @param until only those whose time is not later
 */
export async function listScheduledReleases(
  app: Db,
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
    const now = summariseProblems(await checkItems(app.db, await readItems(app, id), publishAt));
    // The last trigger has stored a problem that only a publication finds, such as a text that cannot be rendered.
    checked.push({ id, name, publishAt: publishAt!, problem: now || fromStored(problem) });
  }
  return checked;
}

/** For the metrics: scheduled releases, those that are due and cannot be published, and the next time. */
export async function countReleases(app: Timed) {
  const now = app.clock.now();
  const [scheduled, due, next] = await Promise.all([
    app.db.release.count({ where: { status: 'scheduled' } }),
    listScheduledReleases(app, now),
    app.db.release.aggregate({
      where: { status: 'scheduled', publishAt: { gt: now } },
      _min: { publishAt: true },
    }),
  ]);
  return { scheduled, blocked: blockedOf(due).length, nextDueAt: next._min.publishAt?.toISOString() ?? null };
}

/** The releases that cannot be published, as `posts:status` and `releases:status` print them. */
export function blockedOf(releases: ScheduledRelease[]) {
  return releases
    .filter(({ problem }) => problem !== '')
    .map(({ id, name, publishAt, problem }) => ({
      id,
      name,
      publishAt: publishAt.toISOString(),
      problem: inEnglish(problem),
    }));
}

/** The releases that nothing blocks, and that are late by more than `overdueAfterMs`. */
export function lateReleases(
  releases: ScheduledRelease[],
  now: Date,
  overdueAfterMs: number,
): ScheduledRelease[] {
  return releases.filter(
    ({ publishAt, problem }) => problem === '' && now.getTime() - publishAt.getTime() > overdueAfterMs,
  );
}

/** True when a release is due and cannot be published, or is late by more than `overdueAfterMs`. */
export function shouldAlertReleases(
  releases: ScheduledRelease[],
  now: Date,
  overdueAfterMs: number,
): boolean {
  return (
    lateReleases(releases, now, overdueAfterMs).length > 0 ||
    releases.some(({ publishAt, problem }) => problem !== '' && publishAt <= now)
  );
}
