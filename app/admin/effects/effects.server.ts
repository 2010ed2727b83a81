import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { readReceiverNames } from '#app/effects/ledger.server.ts';
import { acknowledgeEffect, cancelEffect, releaseEffects, retryEffect } from '#app/effects/manage.server.ts';
import { effectKinds, effectStates, NEVER } from '#app/effects/plan.ts';
import { isHeldWithEffects } from '#app/effects/status.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';

const PER_PAGE = 50;

const querySchema = z.object({
  state: z.enum(effectStates).optional().catch(undefined),
  kind: z.enum(effectKinds).optional().catch(undefined),
  subject: z.string().max(100).optional().catch(undefined),
  before: z.uuid().optional().catch(undefined),
});

/** A page of what changes cause outside, newest first. */
export async function load({ app, request }: ScreenArguments) {
  const { searchParams } = new URL(request.url);
  const { state, kind, subject, before } = querySchema.parse(Object.fromEntries(searchParams));
  const rows = await app.db.effect.findMany({
    where: { state, kind, subject, ...(before && { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take: PER_PAGE + 1,
    select: {
      ...{ id: true, kind: true, event: true, receiver: true, state: true, dueAt: true, tries: true },
      ...{ lastError: true, createdAt: true, acknowledgedAt: true },
    },
  });
  const names = await readReceiverNames(app);
  const shown = rows.slice(0, PER_PAGE);
  return {
    filter: { state: state ?? '', kind: kind ?? '', subject: subject ?? '' },
    isFirstPage: before === undefined,
    next: rows.length > PER_PAGE ? shown.at(-1)!.id : null,
    effects: shown.map(({ receiver, dueAt, lastError, ...effect }) => ({
      ...effect,
      lastError: fromStored(lastError),
      receiver: names.get(receiver) ?? '',
      dueAt: dueAt < NEVER && ['waiting', 'failed'].includes(effect.state) ? dueAt : null,
    })),
    isHeld: await isHeldWithEffects(app),
    saved: searchParams.has('saved'),
  };
}

/** Runs `retry`, `cancel`, `acknowledge` or `release`. */
export async function act({ app, form, user, address, adminContext }: ActionArguments): Promise<Done> {
  const { intent, id = '' } = form.values;
  if (intent === 'retry') await retryEffect(app, id);
  else if (intent === 'cancel') await cancelEffect(app, id);
  else if (intent === 'acknowledge') await acknowledgeEffect(app, id);
  else if (intent === 'release') {
    await releaseEffects(app);
    await writeAudit(app.db, app.clock, { action: 'settings.effects-released', by: byUser(user, address) });
  } else throw unknownIntent();
  app.effects.request(app);
  return { location: pageAfter(form.values.subject ?? '', adminContext.adminPath), id };
}

const subjectOfLedger = /^(post|release):([0-9a-f-]{36})$/;

/** The screen whose ledger the button was in; otherwise the list. */
function pageAfter(subject: string, adminPath: string): string {
  const [, kind, id] = subjectOfLedger.exec(subject) ?? [];
  if (kind === undefined || id === undefined) return `${adminUrl(adminPath, 'effects')}?saved`;
  return `${adminUrl(adminPath, kind === 'post' ? 'posts' : 'releases', id)}#ledger`;
}
