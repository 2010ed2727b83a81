import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { readLedger, type LedgerEntry } from '#app/effects/ledger.server.ts';
import { may } from '#app/people/roles.ts';

/** What a publication caused, and whether this person may try it again. */
export interface Ledger {
  subject: string;
  entries: LedgerEntry[];
  mayManage: boolean;
}

/** What a post or release caused outside. @param subject `post:<id>` or `release:<id>` */
export async function ledgerOf({ app, user }: ScreenArguments, subject: string): Promise<Ledger> {
  const mayManage = may(user, 'system:read');
  return { subject, mayManage, entries: await readLedger(app, subject) };
}
