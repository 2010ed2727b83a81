import { writeAudit, type ByUser } from '#app/people/audit/audit.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Timed } from '#app/platform/services.ts';

/** A session as its owner sees it. */
export interface SessionListing {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
}

/** The valid sessions of an account, the last used first. */
export async function listSessions(app: Timed, userId: string): Promise<SessionListing[]> {
  return app.db.session.findMany({
    where: { userId, expiresAt: { gt: app.clock.now() } },
    select: { id: true, userAgent: true, address: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
  });
}

/** Ends sessions of the user's own account: one, or all but the current one. @returns how many. */
export async function endOwnSessions(
  app: Timed,
  by: ByUser,
  which: { only: string } | { allBut: string },
): Promise<number> {
  const id = 'only' in which ? which.only : { not: which.allBut };
  return inTransaction(app.db, async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { userId: by.userId, id } });
    if (count > 0)
      await writeAudit(tx, app.clock, { action: 'account.sessions-ended', by, details: String(count) });
    return count;
  });
}
