import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { readRetryAfter } from '#app/effects/attempts.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { NEVER } from '#app/effects/events.ts';
import type { ClaimedEffect, Outcome } from '#app/effects/outbox.server.ts';
import { updatePlan } from '#app/effects/record.server.ts';
import { newId } from '#app/platform/clock.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { isAppError, messageOf as reasonOf } from '#app/platform/errors.ts';
import { outboundRules, sendOutbound, type OutboundAnswer } from '#app/platform/http/outbound.server.ts';
import { parseJson } from '#app/platform/json.ts';
import { say, type Message } from '#app/platform/message.ts';
import type { Timed } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { summaryColumns, toSummary } from '#app/posts/lists/public-post.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { encodePath, isHome, ownSlug, postPath, termPath } from '#app/posts/paths.ts';
import { termTable } from '#app/posts/terms/find.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';

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

const effectDetails = z.object({ path: z.string().optional(), keys: z.array(z.string()).optional() });

/** What a message says about its subject; null: that is no longer public or no longer true, so nothing is sent. */
type MessageData = Record<string, unknown> | null;

/** The body of an effect's message, as things are now. Null: nothing is sent. */
async function messageOf(app: EffectApp, effect: ClaimedEffect): Promise<string | null> {
  const data = await dataOf(app, effect);
  if (data === null) return null;
  return JSON.stringify({ type: effect.event, timestamp: effect.createdAt.toISOString(), data });
}

async function dataOf(app: EffectApp, effect: ClaimedEffect): Promise<MessageData> {
  const [kind = '', id = ''] = effect.subject.split(':');
  switch (kind) {
    case 'post':
      return effect.event.endsWith('.unpublished') ? unpublished(app, effect, id) : post(app, effect, id);
    case 'release':
      return release(app, id);
    case 'category':
    case 'tag':
      return term(app, kind, id);
    case 'settings':
      return { keys: detailsOf(effect).keys ?? [] };
    default:
      return { webhook: effect.receiver };
  }
}

async function post({ db, env }: EffectApp, effect: ClaimedEffect, id: string): Promise<MessageData> {
  const row = await db.post.findFirst({
    where: { id, ...isPublic },
    select: {
      ...summaryColumns,
      ...{ bodyHtml: true, type: true, language: true, contentUpdatedAt: true, version: true },
      tags: { select: { tag: { select: { name: true } } }, orderBy: { position: 'asc' } },
    },
  });
  if (!row) return null;
  const settings = await readSettings({ db });
  const { title, excerpt, publishedAt, authors, category } = toSummary(row, row.bodyHtml);
  const path = encodePath(isHome(row, settings.home_page) ? '/' : postPath(row.slug));
  return {
    id,
    sequence: effect.sequence,
    type: row.type,
    url: env.siteUrl + path,
    path,
    slug: ownSlug(row.slug),
    title,
    excerpt,
    language: row.language || settings.site_language,
    authors: authors.map(({ displayName }) => displayName),
    category: category?.name ?? null,
    tags: row.tags.map(({ tag }) => tag.name),
    publishedAt: publishedAt.toISOString(),
    updatedAt: row.contentUpdatedAt.toISOString(),
    version: row.version,
  };
}

/** Names what is gone and says nothing else of it: since then somebody may have written what nobody outside may read. */
async function unpublished({ db, env }: EffectApp, effect: ClaimedEffect, id: string): Promise<MessageData> {
  const row = await db.post.findUnique({ where: { id }, select: { status: true, version: true } });
  if (row?.status === 'published') return null;
  const { path = '/' } = detailsOf(effect);
  return {
    id,
    sequence: effect.sequence,
    type: effect.event.split('.')[0],
    url: env.siteUrl + path,
    path,
    slug: decodeURIComponent(ownSlug(path)),
    ...{ title: '', excerpt: '', language: '', authors: [], category: null, tags: [] },
    publishedAt: null,
    updatedAt: effect.createdAt.toISOString(),
    version: row?.version ?? null,
  };
}

async function release({ db }: EffectApp, id: string): Promise<MessageData> {
  const row = await db.release.findUnique({
    where: { id },
    select: {
      name: true,
      publishedAt: true,
      items: { where: { kind: 'post' }, select: { subjectId: true }, orderBy: { subjectId: 'asc' } },
    },
  });
  if (!row?.publishedAt) return null;
  return {
    id,
    name: row.name,
    publishedAt: row.publishedAt.toISOString(),
    posts: row.items.map(({ subjectId }) => subjectId),
  };
}

async function term({ db, env }: EffectApp, kind: 'category' | 'tag', id: string): Promise<MessageData> {
  const row = await termTable(db, kind).findUnique({ where: { id }, select: { slug: true, name: true } });
  if (!row) return { id, kind, slug: null, name: null, url: null };
  const path = encodePath(termPath[kind](row.slug));
  return { id, kind, ...row, url: env.siteUrl + path };
}

function detailsOf(effect: ClaimedEffect): z.output<typeof effectDetails> {
  return effectDetails.safeParse(parseJson(effect.details)).data ?? {};
}

const PREFIX = 'whsec_';

/** A new secret: 32 random bytes, as the Standard Webhooks specification writes them. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The headers of a message, after the Standard Webhooks specification: one signature for each secret. */
function signedHeaders(
  { id, body, now }: { id: string; body: string; now: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Pauses a webhook: its messages wait until somebody resumes it. @param reason empty: somebody wants it so */
export async function pauseWebhook({ db, clock }: Timed, id: string, reason = ''): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.webhook.updateMany({
      where: { id },
      data: { pausedAt: now, pauseReason: reason, updatedAt: now },
    });
    // Changes write their effects while they hold the plan's row: after this, none is due before `NEVER`.
    await updatePlan(tx, now);
    await tx.effect.updateMany({
      where: { receiver: id, state: { in: ['waiting', 'failed'] } },
      data: { state: 'waiting', dueAt: NEVER },
    });
  });
}

/** Resumes a paused webhook. What waited for it is due at once, with all its tries. */
export async function resumeWebhook({ db, clock }: Timed, id: string): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.webhook.updateMany({
      where: { id },
      data: { pausedAt: null, pauseReason: '', failingSince: null, updatedAt: now },
    });
    await updatePlan(tx, now);
    await tx.effect.updateMany({
      where: { receiver: id, state: 'waiting', dueAt: NEVER },
      data: { dueAt: now, tries: 0 },
    });
  });
}
