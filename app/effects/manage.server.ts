import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Stored } from '#app/media/store/media-store.ts';
import { cancelIssue, forgetNewsletter, ISSUE, holdImportedIssues } from '#app/newsletter/issues.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import type { EffectApp } from './effect-app.ts';
import { NEVER, openStates, type EffectState } from './events.ts';
import { updatePlan } from './record.server.ts';

const RETENTION_MS = 30 * DAY_MS;

/** Tries an effect again now, under the same id, as if it had not been tried. */
export async function retryEffect(app: Timed, id: string): Promise<void> {
  const effect = await requireEffect(app, id);
  if (effect.state === 'running' || effect.state === 'held')
    throw new AppError('conflict', 'This effect is running or held, so it can’t be tried again now.');
  const webhook = await app.db.webhook.findUnique({ where: { id: effect.receiver } });
  await app.db.effect.updateMany({
    where: { id, state: effect.state },
    data: {
      state: 'waiting',
      tries: 0,
      dueAt: webhook?.pausedAt ? NEVER : app.clock.now(),
      finishedAt: null,
      acknowledgedAt: null,
    },
  });
}

/** Ends an effect that has not happened yet. */
export async function cancelEffect(app: Timed, id: string): Promise<void> {
  const { lane, event, receiver } = await requireEffect(app, id);
  // Its mails would wait for ever.
  if (event === ISSUE) return cancelIssue(app, receiver);
  const now = app.clock.now();
  const open: EffectState[] = ['waiting', 'failed', 'held', 'dead'];
  const { count } = await app.db.effect.updateMany({
    where: { id, state: { in: open } },
    data: { state: 'cancelled', finishedAt: now, lastError: '' },
  });
  if (count === 0)
    throw new AppError('conflict', 'This effect is running or finished, so it can’t be cancelled.');
  // What follows in its lane may have waited with it.
  await app.db.effect.updateMany({
    where: { lane, state: 'waiting', dueAt: { gt: now, lt: NEVER } },
    data: { dueAt: now },
  });
}

/** Notes that somebody knows of a dead effect. */
export async function acknowledgeEffect(app: Timed, id: string): Promise<void> {
  await requireEffect(app, id);
  await app.db.effect.updateMany({ where: { id, state: 'dead' }, data: { acknowledgedAt: app.clock.now() } });
}

async function requireEffect({ db }: Timed, id: string) {
  const effect = await db.effect.findUnique({ where: { id } });
  if (!effect) throw new AppError('not_found', 'This effect does not exist.');
  return effect;
}

/** Holds everything that has still to happen. */
export async function holdOpen({ db }: Timed): Promise<void> {
  await db.effect.updateMany({ where: { state: { in: openStates } }, data: { state: 'held' } });
}

/** Lets a restored or copied instance send again, and releases what is held. @returns how many effects that are */
export async function releaseEffects(app: Pick<EffectApp, 'db' | 'clock' | 'mediaStore'>): Promise<number> {
  await joinInstance(app);
  const paused = await app.db.webhook.findMany({ where: { pausedAt: { not: null } }, select: { id: true } });
  const isPaused = { in: paused.map(({ id }) => id) };
  const state = 'held';
  const released = await app.db.effect.updateMany({
    where: { state, receiver: { notIn: isPaused.in } },
    data: { state: 'waiting', dueAt: app.clock.now() },
  });
  const waiting = await app.db.effect.updateMany({
    where: { state, receiver: isPaused },
    data: { state: 'waiting', dueAt: NEVER },
  });
  return released.count + waiting.count;
}

/** Removes what a copy of the database would send, and to whom. */
export async function forgetEffects(tx: Transaction): Promise<void> {
  await tx.effect.deleteMany();
  await tx.alert.deleteMany();
  await tx.webhookDelivery.deleteMany();
  await tx.webhook.deleteMany();
  await forgetNewsletter(tx);
  await tx.siteState.updateMany({ data: { effectPlan: '{}' } });
}

/** Deletes what was finished 30 days ago, and the log of deliveries of that time. */
export async function trimEffects({ db, clock }: Timed): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await db.effect.deleteMany({ where: { finishedAt: { lt: before } } });
  await db.webhookDelivery.deleteMany({ where: { at: { lt: before } } });
  await db.alert.deleteMany({ where: { isOpen: false, changedAt: { lt: before } } });
}

/** Beside the media; the name of Dateline's own files begins with a dot. */
const INSTANCE_FILE = '.instance_id';

/**
 * True after a restore or a copy: the database names another instance than the file beside the media. A database that
 * names none is new.
 */
export async function isHeld(app: Pick<Timed, 'db'> & Stored): Promise<boolean> {
  const id = await readInstanceId(app);
  return id !== '' && (await readFile(app)) !== id;
}

/** Makes sure that the instance has an id before it sends anything: the one beside the media, or a new one. */
export async function nameInstance(app: Timed & Stored): Promise<void> {
  if ((await readInstanceId(app)) !== '') return;
  const id = (await readFile(app)) ?? newId(app.clock);
  // The file first: a process that ends in between leaves a database without an id, which the next one names.
  await writeFile(app, id);
  const updatedAt = app.clock.now();
  await app.db.siteState.upsert({ where: { id: 1 }, create: { id: 1, updatedAt }, update: {} });
  await app.db.siteState.updateMany({ where: { id: 1, instanceId: '' }, data: { instanceId: id } });
  const instanceId = await readInstanceId(app);
  // Of two processes that did this at once, one has named the database.
  if (instanceId !== id) await writeFile(app, instanceId);
}

/** The instance that the database belongs to; empty: none yet. */
export async function readInstanceId({ db }: Pick<Timed, 'db'>): Promise<string> {
  const state = await db.siteState.findUnique({ where: { id: 1 }, select: { instanceId: true } });
  return state?.instanceId ?? '';
}

/**
 * Makes the database that of another instance, in the transaction that replaces its content, so that effects are held
 * until somebody releases them. Webhooks are replaced too.
 */
export async function holdAfterImport(app: Timed, tx: Transaction): Promise<void> {
  const now = app.clock.now();
  await updatePlan(tx, now);
  await holdImportedIssues(tx);
  await tx.siteState.update({ where: { id: 1 }, data: { instanceId: newId(app.clock) } });
}

/** Makes the database and the media those of one instance. */
async function joinInstance(app: Timed & Stored): Promise<void> {
  const id = await readInstanceId(app);
  if (id === '') await nameInstance(app);
  else await writeFile(app, id);
}

async function readFile({ mediaStore }: Stored): Promise<string | null> {
  const file = await mediaStore.get(INSTANCE_FILE);
  return file === null ? null : (await text(file.body)).trim();
}

async function writeFile({ mediaStore }: Stored, id: string): Promise<void> {
  const bytes = Buffer.from(`${id}\n`);
  const sha256 = sha256Of(bytes);
  await mediaStore.put(INSTANCE_FILE, { bytes: bytes.length, sha256, open: () => Readable.from([bytes]) });
}
