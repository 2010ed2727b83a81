import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ScreenArguments,
  unknownIntent,
  type ActionArguments,
  type Done,
} from '#app/admin/frame/screen.ts';
import {
  readLedger,
  type LedgerEntry,
  readReceiverNames,
  isHeldWithEffects,
} from '#app/effects/status.server.ts';
import { acknowledgeEffect, cancelEffect, releaseEffects, retryEffect } from '#app/effects/manage.server.ts';
import { effectKinds, effectStates, NEVER } from '#app/effects/events.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { may } from '#app/people/roles.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';

/** Posts of a release whose entries in the search index are looked at. */
const POSTS_MAX = 1_000;

/** What the site itself made of a publication, in the same transaction or right after it. */
export interface LedgerStep {
  what: 'Public page' | 'Feeds' | 'Search index';
  /** When it was done; null: it waits. */
  doneAt: Date | null;
  /** Why it waits: the words of the search engine. */
  reason: string;
  dueAt: Date | null;
}

/** What a publication caused, and whether this person may try it again. */
export interface Ledger {
  subject: string;
  steps: LedgerStep[];
  entries: LedgerEntry[];
  mayManage: boolean;
}

/** What a post or release caused, on the site and outside. @param subject `post:<id>` or `release:<id>` */
export async function ledgerOf(
  { app, user }: ScreenArguments,
  subject: `post:${string}` | `release:${string}`,
  publication: { publishedAt: Date | null; isPage?: boolean },
): Promise<Ledger> {
  const mayManage = may(user, 'system:read');
  const [entries, steps] = await Promise.all([
    readLedger(app, subject),
    publication.publishedAt === null
      ? []
      : stepsOf(app, subject, publication.publishedAt, publication.isPage),
  ]);
  return { subject, mayManage, entries, steps };
}

async function stepsOf(
  { db }: ScreenArguments['app'],
  subject: string,
  doneAt: Date,
  isPage = false,
): Promise<LedgerStep[]> {
  const [kind, id = ''] = subject.split(':');
  const items =
    kind === 'release'
      ? await db.releaseItem.findMany({
          where: { releaseId: id, kind: 'post' },
          select: { subjectId: true },
          take: POSTS_MAX,
        })
      : [{ subjectId: id }];
  const waiting = await db.searchOutbox.findFirst({
    where: { postId: { in: items.map(({ subjectId }) => subjectId) } },
    orderBy: { enqueuedAt: 'asc' },
  });
  const done = { doneAt, reason: '', dueAt: null };
  return [
    { what: 'Public page', ...done },
    ...(isPage ? [] : [{ what: 'Feeds' as const, ...done }]),
    {
      what: 'Search index',
      doneAt: waiting ? null : doneAt,
      reason: waiting?.lastError ?? '',
      dueAt: waiting?.nextAttemptAt ?? null,
    },
  ];
}

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
