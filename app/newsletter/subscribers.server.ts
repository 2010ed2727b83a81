import { randomBytes } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import * as z from 'zod';
import type { EffectApp, Effectful } from '#app/effects/effect-app.ts';
import { insertEffects } from '#app/effects/outbox.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { parseJson } from '#app/platform/json.ts';
import type { Timed } from '#app/platform/services.ts';
import { line } from '#app/platform/text/schemas.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { takeOne } from './limits.server.ts';
import { unsentStates, type SubscriberState, subscriberStates } from './states.ts';

const HOUR_MS = 60 * 60 * 1000;
const CONFIRM_MS = 7 * DAY_MS;
/** People who never confirmed are forgotten after this time. */
const PENDING_MS = 30 * DAY_MS;
const PER_NETWORK = 100;

export const CONFIRMATION = 'newsletter.confirmation';

export type Subscriber = Prisma.SubscriberGetPayload<object>;

/**
 * An address that mail can be sent to, as it was typed. Refuses control characters, lists of addresses, and `%` and `!`,
 * by which some servers send a mail on to another address.
 */
export const addressSchema = line(254, 'Email').pipe(
  z
    .string()
    .regex(/^[^\s@<>()[\],;:\\"%!\p{C}]+@(?:[\p{L}\p{M}\p{N}-]+\.)+(?=[^.]*\p{L})[\p{L}\p{M}\p{N}-]{2,}$/u),
);

/** The form of an address that makes it one person's: a domain has two spellings, `xn--bcher-kva.example` is one of them. */
export function keyOf(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFC').toLowerCase().split('@');
  return `${local}@${domainToUnicode(domain) || domain}`;
}

/** The ids of a column. */
export const idsOf = (column: string) => z.array(z.string()).catch([]).parse(parseJson(column));

/** What a subscriber's row begins with. */
export function newSubscriber(
  app: Timed,
  email: string,
  state: SubscriberState,
): Prisma.SubscriberCreateInput & { id: string } {
  const now = app.clock.now();
  return {
    ...{ id: newId(app.clock), email, emailKey: keyOf(email), state, stateAt: now },
    ...{ token: randomBytes(32).toString('base64url'), createdAt: now, updatedAt: now },
  };
}

/**
 * Takes a form: asks the person for a confirmation, by one mail an address a day. Does the same for every address,
 * so that neither the answer nor its time tells who is subscribed.
 */
export async function requestSubscription(
  app: EffectApp & Effectful,
  request: { email: string; categoryIds: string[]; language: string; network: string },
): Promise<void> {
  const { email, language } = request;
  const settings = await readSettings(app);
  if (!settings.newsletter_enabled) throw new AppError('not_found', 'The newsletter is switched off.');
  const now = app.clock.now();
  const categories = JSON.stringify(request.categoryIds);
  const isAsked = await inTransaction(app.db, async (tx) => {
    const key = `network:${sha256Of(request.network)}`;
    if (!(await takeOne(tx, { key, now, windowMs: HOUR_MS, max: PER_NETWORK }))) return false;
    const known = await tx.subscriber.findUnique({ where: { emailKey: keyOf(email) } });
    if (known?.askedAt && now.getTime() - known.askedAt.getTime() < DAY_MS) return false;
    const max = settings.newsletter_confirmations_per_hour;
    if (!(await takeOne(tx, { key: 'confirmations', now, windowMs: HOUR_MS, max }))) return false;
    const { id } = known ?? { id: newId(app.clock) };
    if (known) {
      // What somebody else typed must not change the subscription of a person who has not confirmed it.
      const asked = known.state === 'active' ? {} : { categories, language };
      await tx.subscriber.update({ where: { id }, data: { askedAt: now, updatedAt: now, ...asked } });
    } else {
      const row = { ...newSubscriber(app, email, 'pending'), id, categories, language, source: 'form' };
      await tx.subscriber.create({ data: { ...row, askedAt: now } });
    }
    const event = { kind: 'mail', event: CONFIRMATION, subject: `subscriber:${id}` } as const;
    const effect = { ...event, receiver: 'confirmations', details: {}, dueAt: now };
    await insertEffects(app, tx, [effect], { sequence: 0, now });
    return true;
  });
  if (isAsked) app.effects.request(app);
}

/** Makes the token of a confirmation mail. The database stores only its hash. */
export async function issueConfirmation({ db, clock }: Timed, id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const confirmUntil = new Date(clock.now().getTime() + CONFIRM_MS);
  await db.subscriber.update({ where: { id }, data: { confirmHash: sha256Of(token), confirmUntil } });
  return token;
}

/** The person whose confirmation mail has this token; null when it has expired. */
export async function findConfirmation({ db, clock }: Timed, token: string): Promise<Subscriber | null> {
  const found = await db.subscriber.findUnique({ where: { confirmHash: sha256Of(token) } });
  return found?.confirmUntil && found.confirmUntil > clock.now() ? found : null;
}

/** Confirms a subscription: whoever opens the mail may get more. @returns null when the link has expired */
export async function confirmSubscription(app: Timed, token: string): Promise<Subscriber | null> {
  const found = await findConfirmation(app, token);
  if (!found) return null;
  const now = app.clock.now();
  if (found.state === 'active') return found;
  return inTransaction(app.db, async (tx) => {
    await tx.subscriberErasure.deleteMany({ where: { emailHash: sha256Of(found.emailKey) } });
    const data = { state: 'active', reason: '', consentAt: now, stateAt: now, updatedAt: now };
    return tx.subscriber.update({
      where: { id: found.id },
      data: { ...data, source: 'form', frequency: 'each' },
    });
  });
}

/** The person whose mails have this token in their links. */
export function findByToken({ db }: Pick<Timed, 'db'>, token: string): Promise<Subscriber | null> {
  return db.subscriber.findUnique({ where: { token } });
}

/** Saves what a person wants to get. Whoever chooses "no mail" gets none, also of what waits. */
export async function savePreferences(
  app: Timed,
  id: string,
  { frequency, categoryIds }: { frequency: 'each' | 'none'; categoryIds: string[] },
): Promise<void> {
  const updatedAt = app.clock.now();
  await inTransaction(app.db, async (tx) => {
    await tx.subscriber.update({
      where: { id },
      data: { frequency, categories: JSON.stringify(categoryIds), updatedAt },
    });
    if (frequency === 'none') await dropWaiting(tx, id);
  });
}

/** Ends a subscription, and what waits for this person. */
export async function unsubscribe(app: Timed, id: string): Promise<void> {
  await changeState(app, id, 'unsubscribed', '', ['active', 'pending', 'suspended']);
}

/** Suspends an address. Somebody who has unsubscribed stays so. */
export async function suspend(app: Timed, id: string, reason: string): Promise<void> {
  await changeState(app, id, 'suspended', reason.slice(0, 500), ['active', 'pending']);
}

/** Lets an editor's decision make an address active. */
export async function reactivate(app: Timed, id: string): Promise<void> {
  await changeState(app, id, 'active', '', ['pending', 'suspended', 'unsubscribed']);
}

async function changeState(
  { db, clock }: Timed,
  id: string,
  state: SubscriberState,
  reason: string,
  from: SubscriberState[],
): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const { count } = await tx.subscriber.updateMany({
      where: { id, state: { in: from } },
      data: {
        ...{ state, reason, stateAt: now, updatedAt: now },
        // A link from before must not undo it.
        ...(state === 'unsubscribed' && { confirmHash: null, confirmUntil: null }),
        ...(state === 'active' && { consentAt: now }),
      },
    });
    if (count > 0 && state !== 'active') await dropWaiting(tx, id);
  });
}

async function dropWaiting(tx: Transaction, subscriberId: string): Promise<void> {
  await tx.newsletterRecipient.updateMany({
    where: { subscriberId, state: { in: unsentStates } },
    data: { state: 'cancelled' },
  });
}

/** Adds an address that an editor has consent for. @throws AppError `conflict` when it is on the list */
export async function addSubscriber(app: Timed, email: string, name: string): Promise<string> {
  const row = { ...newSubscriber(app, email, 'active'), name, source: 'editor' };
  if (await app.db.subscriber.findUnique({ where: { emailKey: row.emailKey }, select: { id: true } }))
    throw new AppError('conflict', 'This address is on the list.');
  await app.db.subscriber.create({ data: { ...row, consentAt: row.createdAt } });
  await app.db.subscriberErasure.deleteMany({ where: { emailHash: sha256Of(row.emailKey) } });
  return row.id;
}

/** Erases everything about a person but a hash, so that no list or backup brings them back. */
export async function eraseSubscriber({ db, clock }: Timed, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const found = await tx.subscriber.findUnique({ where: { id } });
    if (!found) return;
    const emailHash = sha256Of(found.emailKey);
    const erasedAt = clock.now();
    await dropWaiting(tx, id);
    // The server's words may repeat the address.
    await tx.newsletterRecipient.updateMany({ where: { subscriberId: id }, data: { reason: '' } });
    await tx.subscriber.delete({ where: { id } });
    await tx.subscriberErasure.upsert({
      where: { emailHash },
      create: { emailHash, erasedAt },
      update: { erasedAt },
    });
  });
}

/** All that is stored of a person, for themselves. */
export async function exportSubscriber({ db }: Pick<Timed, 'db'>, subscriber: Subscriber) {
  const { token: _token, confirmHash: _hash, ...stored } = subscriber;
  const mails = await db.newsletterRecipient.findMany({
    where: { subscriberId: subscriber.id },
    orderBy: { issueId: 'desc' },
    take: 1_000,
  });
  return { ...stored, categories: idsOf(subscriber.categories), mails };
}

/** Removes erased people again, in the transaction that replaces the content by that of a backup. */
export async function keepErased(
  tx: Transaction,
  erased: readonly { emailHash: string; erasedAt: Date }[],
): Promise<void> {
  for (const { emailHash, erasedAt } of erased)
    await tx.subscriberErasure.upsert({ where: { emailHash }, create: { emailHash, erasedAt }, update: {} });
  if (erased.length === 0) return;
  const hashes = new Set(erased.map(({ emailHash }) => emailHash));
  const rows = await tx.subscriber.findMany({ select: { id: true, emailKey: true } });
  const ids = rows.filter(({ emailKey }) => hashes.has(sha256Of(emailKey))).map(({ id }) => id);
  for (const id of ids) await tx.subscriber.delete({ where: { id } });
}

/** Forgets those who never confirmed. */
export async function trimPending({ db, clock }: Timed): Promise<void> {
  const before = new Date(clock.now().getTime() - PENDING_MS);
  await db.subscriber.deleteMany({ where: { state: 'pending', stateAt: { lt: before } } });
}

const MONTHS = 12;

/**
 * How many people have unsubscribed after an issue, before they got another one. Who subscribed again or was erased is not
 * among them.
 */
export async function countUnsubscribed({ db }: Pick<Timed, 'db'>, issueId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number | bigint }[]>`
    SELECT COUNT(*) AS count FROM newsletter_recipients recipient
    JOIN subscribers subscriber ON subscriber.id = recipient.subscriber_id
    WHERE recipient.issue_id = ${issueId} AND recipient.state = 'sent'
      AND subscriber.state = 'unsubscribed' AND subscriber.state_at >= recipient.sent_at
      AND NOT EXISTS (
        SELECT 1 FROM newsletter_recipients later
        WHERE later.subscriber_id = recipient.subscriber_id AND later.state = 'sent'
          AND later.sent_at > recipient.sent_at AND later.sent_at <= subscriber.state_at)`;
  return Number(row?.count ?? 0);
}

/** How many people were on the list at the end of each of the last twelve months, the present one last. */
export async function listGrowth({ db, clock }: Timed): Promise<{ at: Date; subscribers: number }[]> {
  const now = clock.now();
  const rows = await db.subscriberCount.findMany({ where: { state: '', frequency: '', categories: '' } });
  return Array.from({ length: MONTHS }, (_, index) => {
    const isPresent = index === MONTHS - 1;
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 2) + index, 1);
    const month = new Date(end - 1).toISOString().slice(0, 7);
    const until = rows.filter((row) => row.month <= month);
    return {
      at: isPresent ? now : new Date(end),
      subscribers: until.reduce((sum, { subscribers }) => sum + subscribers, 0),
    };
  });
}

/** How many people are in each state. */
export async function countSubscribers({
  db,
}: Pick<Timed, 'db'>): Promise<{ name: SubscriberState; count: number }[]> {
  const groups = await db.subscriberCount.groupBy({
    by: ['state'],
    where: { month: '' },
    _sum: { subscribers: true },
  });
  return subscriberStates.map((name) => ({
    name,
    count: groups.find(({ state }) => state === name)?._sum.subscribers ?? 0,
  }));
}
