import { messageOf } from '#app/platform/errors.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { publishDue } from './publish-due.server.ts';

/** The time between two looks: another process may have changed a time, or the setting. */
const LOOK_MS = 1_000;
/** The time between two looks at the setting while it is off. */
const OFF_MS = 5_000;
/** A run without something newly due: it retries what failed, and cleans up as every trigger does. */
const IDLE_MS = 5 * 60_000;
/** The same while something is due that the last run could not publish, such as a blocked release. */
const RETRY_MS = 60_000;
/** What became due shortly before a run may have been committed after it. */
const LOOK_BACK_MS = 5_000;
/** Runs at the same time: one that waits for a search engine must not delay what is due meanwhile. */
const RUNS_AT_ONCE = 3;

/**
 * Publishes what is due within two seconds of its time while the setting `built_in_trigger` is on, with the function of
 * route and command. Any number of servers may do so: claims decide.
 * @param ready what must have been looked at before, such as what is late
 * @returns a function that stops this, and waits for its runs
 */
export function startBuiltInTrigger(
  app: PublishingContext & Configured,
  ready: Promise<void> = Promise.resolve(),
): () => Promise<void> {
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let lastRunAt: Date | null = null;
  const run = () => {
    lastRunAt = app.clock.now();
    const work = publishDue(app, 'server')
      .then(
        () => {},
        (error: unknown) => app.log.error({ reason: messageOf(error) }, 'The built-in trigger failed'),
      )
      .finally(() => running.delete(work));
    running.add(work);
  };
  /** @returns the time until the next look */
  const look = async (): Promise<number> => {
    if (!(await readSetting(app, 'built_in_trigger'))) return OFF_MS;
    const now = app.clock.now();
    // After the clock was set back, the last run seems to be in the future.
    if (lastRunAt && lastRunAt > now) lastRunAt = null;
    const since = lastRunAt ? new Date(lastRunAt.getTime() - LOOK_BACK_MS) : new Date(0);
    const next = await nextDueAfter(app, since);
    const isDue = next !== null && next <= now;
    const idleMs = lastRunAt ? now.getTime() - lastRunAt.getTime() : Infinity;
    if (running.size < RUNS_AT_ONCE && (isDue || (await isRunWanted(app, now, idleMs)))) run();
    return next === null || isDue ? LOOK_MS : Math.min(LOOK_MS, next.getTime() - now.getTime());
  };
  const loop = async () => {
    const wait = await look().catch((error: unknown) => {
      app.log.warn({ reason: messageOf(error) }, 'The built-in trigger cannot see what is due');
      return OFF_MS;
    });
    if (!isStopping) timer = setTimeout(() => void loop(), wait).unref();
  };
  void ready.then(() => (isStopping ? undefined : loop()));
  return async () => {
    isStopping = true;
    clearTimeout(timer);
    await Promise.all(running);
  };
}

/** Whether a run is wanted although nothing has become due since the last one. */
async function isRunWanted(app: Timed, now: Date, idleMs: number): Promise<boolean> {
  if (idleMs >= RETRY_MS) {
    const due = await nextDueAfter(app, new Date(0));
    if (due !== null && due <= now) return true;
  }
  if (idleMs < IDLE_MS) return false;
  // Another trigger may have done it.
  const recent = await app.db.publishRun.findFirst({
    where: { startedAt: { gt: new Date(now.getTime() - IDLE_MS), lte: now } },
    select: { id: true },
  });
  return recent === null;
}

/** The earliest time after an instant at which a post, a scheduled update, an archiving or a release is due. */
async function nextDueAfter({ db }: Timed, since: Date): Promise<Date | null> {
  const after = { gt: since };
  const [post, archive, update, release] = await Promise.all([
    db.post.findFirst({
      where: { status: 'scheduled', publishedAt: after },
      orderBy: { publishedAt: 'asc' },
      select: { publishedAt: true },
    }),
    db.post.findFirst({
      where: { status: 'published', archiveAt: after },
      orderBy: { archiveAt: 'asc' },
      select: { archiveAt: true },
    }),
    db.scheduledUpdate.findFirst({
      where: { dueAt: after },
      orderBy: { dueAt: 'asc' },
      select: { dueAt: true },
    }),
    db.release.findFirst({
      where: { status: 'scheduled', publishAt: after },
      orderBy: { publishAt: 'asc' },
      select: { publishAt: true },
    }),
  ]);
  const times = [post?.publishedAt, archive?.archiveAt, update?.dueAt, release?.publishAt];
  const known = times.filter((time) => time != null).map((time) => time.getTime());
  return known.length === 0 ? null : new Date(Math.min(...known));
}
