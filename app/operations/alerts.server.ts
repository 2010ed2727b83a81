import { setTimeout as sleep } from 'node:timers/promises';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import {
  alertReceivers,
  changeAlerts,
  readAlerts,
  type AlertCause,
} from '#app/effects/alerts/alert.server.ts';
import type { EffectApp, Effectful } from '#app/effects/effect-app.ts';
import { messageOf } from '#app/platform/errors.ts';
import { inEnglish } from '#app/platform/message.ts';
import type { Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { earliest } from '#app/platform/time/earliest.ts';
import { readPlannedChanges, readPublishingState } from '#app/publishing/trigger/status.server.ts';
import { lateReleases, listScheduledReleases } from '#app/releases/status.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';

/** The time between two looks of a server. */
const LOOK_MS = 30_000;
const CONFIRM_MS = 3_000;
const HOUR_MS = 60 * 60 * 1000;
/** A backup must be proven within this time, as in the examples for Prometheus. */
const PROVEN_MS = 35 * DAY_MS;
/** Tries after which a change that waits for the search index is reported. */
const SEARCH_TRIES = 3;

type AlertApp = EffectApp & Effectful;

const LATE = 'publishing_late';

/** Tells the receivers of alerts what is wrong now, and what is over, each once. Does nothing without receivers. */
export async function checkAlerts(app: AlertApp, find = causesOf): Promise<void> {
  await check(app, find, () => true);
}

/**
 * Tells of lateness alone, before a trigger publishes what is late. Never throws: the trigger must go on.
 */
export async function checkLateness(app: AlertApp): Promise<void> {
  const find = async () => (await lateness(app, await readScheduled(app))) ?? [];
  await check(app, find, () => false).catch((error: unknown) =>
    app.log.warn({ reason: messageOf(error) }, 'Alerts could not be checked'),
  );
}

/**
 * Looks every half minute. A cause counts if it is still there three seconds after such a look: when the clock was set
 * forward, the trigger publishes first what that made due.
 * @returns the first look, and a function that ends this
 */
export function watchAlerts(app: AlertApp): { first: Promise<void>; stop: () => void } {
  const ended = new AbortController();
  let running: Promise<void> | null = null;
  const look = (find = causesOf) => {
    running ??= checkAlerts(app, find)
      .catch((error: unknown) => {
        if (ended.signal.aborted) return;
        app.log.warn({ reason: messageOf(error) }, 'Alerts could not be checked; a later look tries again');
      })
      .finally(() => (running = null));
    return running;
  };
  const findTwice = async () => {
    const causes = await causesOf(app);
    if (causes.length === 0) return causes;
    await sleep(CONFIRM_MS, undefined, { ref: false, signal: ended.signal });
    return causesOf(app);
  };
  const first = look();
  const timer = setInterval(() => void look(findTwice), LOOK_MS).unref();
  const stop = () => {
    clearInterval(timer);
    ended.abort();
  };
  return { first, stop };
}

async function check(
  app: AlertApp,
  find: (app: AlertApp) => Promise<AlertCause[]>,
  isChecked: (cause: string) => boolean,
): Promise<void> {
  const known = await readAlerts(app);
  if ((await alertReceivers(app)).length === 0) {
    if (known.length > 0) await app.db.alert.deleteMany();
    return;
  }
  if ((await changeAlerts(app, known, await find(app), isChecked)) > 0) app.effects.request(app);
}

/** What is scheduled, and what of it is late. */
async function readScheduled(app: AlertApp) {
  const now = app.clock.now();
  const [posts, planned, releases] = await Promise.all([
    readPublishingState(app),
    readPlannedChanges(app),
    listScheduledReleases(app),
  ]);
  return { now, posts, planned, releases };
}

type Scheduled = Awaited<ReturnType<typeof readScheduled>>;

async function causesOf(app: AlertApp): Promise<AlertCause[]> {
  const scheduled = await readScheduled(app);
  const causes = await Promise.all([
    lateness(app, scheduled),
    silence(app, scheduled),
    backups(app, scheduled.now),
    deadEffects(app),
    waitingSearch(app),
  ]);
  return [...causes.flat(), ...blockedReleases(scheduled)];
}

async function lateness(app: AlertApp, { now, posts, planned, releases }: Scheduled): Promise<AlertCause[]> {
  const minutes = await readSetting(app, 'alert_minutes');
  const lateRelease = lateReleases(releases, now, 0)[0]?.publishAt.toISOString() ?? null;
  const since = earliest(posts.oldestOverdueAt, planned.oldestOverdueAt, lateRelease);
  if (since === null || now.getTime() - Date.parse(since) <= minutes * 60_000) return [];
  const message = `Publishing is more than ${minutes} minutes late: something was due at ${since}.`;
  return [{ cause: LATE, message, since: new Date(since) }];
}

async function silence(app: Timed, { now, posts, planned, releases }: Scheduled): Promise<AlertCause[]> {
  const isScheduled = posts.scheduled + planned.changes + planned.archives + releases.length > 0;
  if (!isScheduled) return [];
  const since = posts.lastTriggeredAt ? new Date(posts.lastTriggeredAt) : await scheduledSince(app);
  if (since === null || now.getTime() - since.getTime() <= HOUR_MS) return [];
  const message = 'No trigger has run for an hour, and something is scheduled.';
  return [{ cause: 'trigger_silent', message, since }];
}

/** When the next post was scheduled, where no trigger has ever run. */
async function scheduledSince({ db }: Timed): Promise<Date | null> {
  const next = await db.post.findFirst({
    where: { status: 'scheduled' },
    orderBy: { publishedAt: 'asc' },
    select: { updatedAt: true },
  });
  return next?.updatedAt ?? null;
}

function blockedReleases({ now, releases }: Scheduled): AlertCause[] {
  return releases
    .filter(({ problem, publishAt }) => problem !== '' && publishAt.getTime() - now.getTime() <= HOUR_MS)
    .map(({ id, name, publishAt, problem }) => ({
      cause: `release_blocked:${id}`,
      message: `The release “${name}” (${publishAt.toISOString()}) cannot be published: ${inEnglish(problem)}`,
      since: now,
    }));
}

async function backups(app: Timed, now: Date): Promise<AlertCause[]> {
  const { overdue, nextExpectedAt, lastProvenAt } = await readBackupState(app);
  const causes: AlertCause[] = [];
  if (overdue)
    causes.push({
      cause: 'backup_overdue',
      message: `No backup was made, though one was due at ${nextExpectedAt!.toISOString()}.`,
      since: nextExpectedAt!,
    });
  const provenAt = lastProvenAt ?? (await firstBackupAt(app));
  if (provenAt && now.getTime() - provenAt.getTime() > PROVEN_MS)
    causes.push({
      cause: 'backup_not_proven',
      message: 'No backup was proven for 35 days.',
      since: new Date(provenAt.getTime() + PROVEN_MS),
    });
  return causes;
}

async function firstBackupAt({ db }: Timed): Promise<Date | null> {
  const first = await db.backupRun.findFirst({
    orderBy: { finishedAt: 'asc' },
    select: { finishedAt: true },
  });
  return first?.finishedAt ?? null;
}

async function deadEffects({ db, clock }: Timed): Promise<AlertCause[]> {
  const dead = await db.effect.findFirst({
    where: { state: 'dead', acknowledgedAt: null },
    orderBy: { finishedAt: 'asc' },
    select: { kind: true, finishedAt: true },
  });
  if (!dead) return [];
  const message = `The last try of an effect (${dead.kind}) failed: see Effects in the backend.`;
  return [{ cause: 'effect_dead', message, since: dead.finishedAt ?? clock.now() }];
}

async function waitingSearch({ db }: Timed): Promise<AlertCause[]> {
  const waiting = await db.searchOutbox.findFirst({
    where: { attempts: { gt: SEARCH_TRIES } },
    select: { enqueuedAt: true },
  });
  if (!waiting) return [];
  const message = 'The search index differs: changes wait for it after several tries.';
  return [{ cause: 'index_differs', message, since: waiting.enqueuedAt }];
}
