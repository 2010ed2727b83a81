import { readRetryAfter } from '#app/effects/attempts.ts';
import type { ClaimedEffect, Outcome } from '#app/effects/claim.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { newId } from '#app/platform/clock.ts';
import { isAppError, messageOf as reasonOf } from '#app/platform/errors.ts';
import { outboundRules, sendOutbound, type OutboundAnswer } from '#app/platform/http/outbound.server.ts';
import { say, type Message } from '#app/platform/message.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';
import { messageOf } from './message.server.ts';
import { pauseWebhook } from './pause.server.ts';
import { signedHeaders } from './sign.server.ts';

/** The type of a test message, which a paused webhook gets, too. */
export const TEST_EVENT = 'webhook.test';
/** Bytes of a message and of an answer that the log keeps. */
const LOGGED_BYTES = 8 * 1024;
const FAILING_MS = 5 * DAY_MS;

/** Sends one message to a webhook, and writes the try into the log of deliveries. */
export async function deliver(app: EffectApp, effect: ClaimedEffect): Promise<Outcome> {
  const webhook = await app.db.webhook.findUnique({ where: { id: effect.receiver } });
  if (!webhook) return { state: 'cancelled', reason: 'The webhook was deleted.' };
  if (webhook.pausedAt && effect.event !== TEST_EVENT)
    return { state: 'paused', reason: 'The webhook is paused.' };
  const body = await messageOf(app, effect);
  if (body === null) return { state: 'cancelled', reason: 'No longer public or no longer valid.' };
  const now = app.clock.now();
  const stored = [
    webhook.secret,
    ...(webhook.formerUntil && webhook.formerUntil > now ? [webhook.formerSecret] : []),
  ];
  const secrets = stored.map((secret) => decryptSecret(secret, app.env.authSecret));
  const headers = signedHeaders({ id: effect.id, body, now }, secrets);
  const startedAt = performance.now();
  let answer: OutboundAnswer | null = null;
  let error: Message = '';
  try {
    const rules = outboundRules(app.env.outboundAllow);
    answer = await sendOutbound(rules, { method: 'POST', url: webhook.url, headers, body });
    if (answer.status < 200 || answer.status > 299)
      error = say('The receiver answered {status}.', { status: answer.status });
  } catch (failure) {
    error = isAppError(failure) ? failure.said : reasonOf(failure);
  }
  await app.db.webhookDelivery.create({
    data: {
      id: newId(app.clock),
      webhookId: webhook.id,
      effectId: effect.id,
      event: effect.event,
      at: now,
      status: answer?.status ?? 0,
      durationMs: Math.round(performance.now() - startedAt),
      error: toStored(error),
      request: beginningOf(body),
      response: beginningOf(answer?.text ?? ''),
    },
  });
  return outcomeOf(app, webhook, answer, error);
}

async function outcomeOf(
  app: EffectApp,
  { id, failingSince }: { id: string; failingSince: Date | null },
  answer: OutboundAnswer | null,
  error: Message,
): Promise<Outcome> {
  const now = app.clock.now();
  if (error === '') {
    if (failingSince) await app.db.webhook.updateMany({ where: { id }, data: { failingSince: null } });
    return { state: 'done' };
  }
  if (answer?.status === 410)
    return paused(app, id, 'The receiver answered 410 Gone: it accepts no more messages.');
  if (failingSince && now.getTime() - failingSince.getTime() > FAILING_MS)
    return paused(app, id, 'Every delivery has failed for five days.');
  if (!failingSince)
    await app.db.webhook.updateMany({ where: { id, failingSince: null }, data: { failingSince: now } });
  const obeysRetryAfter = answer?.status === 429 || answer?.status === 503;
  const header = answer?.headers['retry-after'];
  return { state: 'failed', error, retryAfterMs: obeysRetryAfter ? readRetryAfter(header, now) : 0 };
}

async function paused(app: EffectApp, id: string, reason: string): Promise<Outcome> {
  await pauseWebhook(app, id, reason);
  app.log.warn({ webhook: id }, 'A webhook was paused; the backend says why');
  return { state: 'paused', reason };
}

/** Cut at a byte, without half a character and without what PostgreSQL refuses. */
function beginningOf(text: string): string {
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, LOGGED_BYTES), { stream: true });
  return cut.replaceAll('\0', '');
}
