import * as z from 'zod';
import type { ClaimedEffect } from '#app/effects/outbox.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { retryEffect } from '#app/effects/manage.server.ts';
import { eventTypes } from '#app/effects/events.ts';
import { updatePlan } from '#app/effects/record.server.ts';
import { newId } from '#app/platform/clock.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { outboundProblem, outboundRules } from '#app/platform/http/outbound.server.ts';
import { say, type Message } from '#app/platform/message.ts';
import { fromStored, toStored } from '#app/platform/stored-message.server.ts';
import { requiredLine } from '#app/platform/text/schemas.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { encryptSecret } from '#app/settings/secrets.server.ts';
import { deliver, TEST_EVENT, newSecret } from './deliver.server.ts';

/** Two signatures are sent for this time after a rotation. */
const ROTATION_MS = DAY_MS;
/** More would make each save dearer. */
const WEBHOOKS_MAX = 50;

/** The form of a webhook. */
export const webhookSchema = z.object({
  name: requiredLine(200, 'Name'),
  url: requiredLine(2_000, 'Address'),
  events: z
    .array(z.enum(eventTypes, 'Choose from the listed events.'))
    .min(1, 'Choose at least one event.')
    .max(50),
});

export type WebhookFields = z.output<typeof webhookSchema>;

/** Creates a webhook. @returns its id, and the secret, which is shown only once */
export async function createWebhook(
  app: EffectApp,
  fields: WebhookFields,
  id = newId(app.clock),
): Promise<{ id: string; secret: string }> {
  await requireReachable(app, fields);
  const now = app.clock.now();
  const secret = newSecret();
  await inTransaction(app.db, async (tx) => {
    if ((await tx.webhook.count()) >= WEBHOOKS_MAX)
      throw new AppError('conflict', say('You can have at most {max} webhooks.', { max: WEBHOOKS_MAX }));
    await tx.webhook.create({
      data: {
        id,
        ...columnsOf(fields),
        secret: encryptSecret(secret, app.env.authSecret),
        createdAt: now,
        updatedAt: now,
      },
    });
    await updatePlan(tx, now);
  });
  return { id, secret };
}

/** Changes name, address and events of a webhook. */
export async function saveWebhook(app: EffectApp, id: string, fields: WebhookFields): Promise<void> {
  await requireReachable(app, fields);
  const now = app.clock.now();
  await inTransaction(app.db, async (tx) => {
    await tx.webhook.updateMany({ where: { id }, data: { ...columnsOf(fields), updatedAt: now } });
    await updatePlan(tx, now);
  });
}

/** Gives a webhook a new secret. The former one signs too for 24 hours. @returns the new one */
export async function rotateSecret({ db, clock, env }: EffectApp, id: string): Promise<string> {
  const now = clock.now();
  const secret = newSecret();
  const webhook = await requireWebhook({ db }, id);
  await db.webhook.updateMany({
    where: { id, secret: webhook.secret },
    data: {
      secret: encryptSecret(secret, env.authSecret),
      formerSecret: webhook.secret,
      formerUntil: webhook.secret === '' ? null : new Date(now.getTime() + ROTATION_MS),
      updatedAt: now,
    },
  });
  return secret;
}

/** Deletes a webhook with what waits for it. */
export async function deleteWebhook({ db, clock }: EffectApp, id: string): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.webhook.deleteMany({ where: { id } });
    await updatePlan(tx, now);
    await tx.webhookDelivery.deleteMany({ where: { webhookId: id } });
    await tx.effect.updateMany({
      where: { receiver: id, state: { in: ['waiting', 'failed', 'held'] } },
      data: { state: 'cancelled', finishedAt: now, lastError: 'The webhook was deleted.' },
    });
  });
}

/** Sends a test message at once. It is tried only once. @returns what the log has of it */
export async function testWebhook(app: EffectApp, id: string): Promise<{ status: number; error: Message }> {
  await requireWebhook(app, id);
  const now = app.clock.now();
  const effectId = newId(app.clock);
  const effect: ClaimedEffect = await app.db.effect.create({
    data: {
      id: effectId,
      kind: 'webhook',
      event: TEST_EVENT,
      subject: `webhook:${id}`,
      ...{ receiver: id, lane: effectId, sequence: 0, state: 'done', tries: 1, dueAt: now },
      ...{ createdAt: now, finishedAt: now },
    },
  });
  const outcome = await deliver(app, effect);
  const delivery = await app.db.webhookDelivery.findFirst({ where: { webhookId: id, effectId } });
  const error = delivery ? fromStored(delivery.error) : 'reason' in outcome ? outcome.reason : '';
  if (error !== '')
    await app.db.effect.update({
      where: { id: effectId },
      data: { state: 'cancelled', lastError: toStored(error) },
    });
  return { status: delivery?.status ?? 0, error };
}

/** Sends a message again, under the same id. @param id of the message or of one of its deliveries */
export async function replayMessage(app: EffectApp, webhookId: string, id: string): Promise<void> {
  const delivery = await app.db.webhookDelivery.findFirst({ where: { id, webhookId } });
  const effect = await app.db.effect.findFirst({
    where: { id: delivery?.effectId ?? id, receiver: webhookId },
  });
  if (!effect) throw new AppError('not_found', 'This message is no longer stored.');
  await retryEffect(app, effect.id);
}

/** @throws AppError `not_found` */
export async function requireWebhook({ db }: Pick<EffectApp, 'db'>, id: string) {
  const webhook = await db.webhook.findUnique({ where: { id } });
  if (!webhook) throw new AppError('not_found', 'This webhook does not exist.');
  return webhook;
}

async function requireReachable({ env }: EffectApp, { url }: WebhookFields): Promise<void> {
  const problem = await outboundProblem(outboundRules(env.outboundAllow), url);
  if (problem !== null) throw fieldError('url', problem);
}

function columnsOf({ events, ...fields }: WebhookFields) {
  return { ...fields, events: JSON.stringify(events) };
}
