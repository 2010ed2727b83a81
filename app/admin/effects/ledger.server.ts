import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { readLedger, type LedgerEntry } from '#app/effects/ledger.server.ts';
import { may } from '#app/people/roles.ts';

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
