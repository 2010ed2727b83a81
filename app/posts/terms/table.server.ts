import type { Transaction } from '#app/platform/database/client.server.ts';

/** Categories and tags, which differ only in their tables and in how posts refer to them. */
export type TermKind = 'category' | 'tag';

/** A term's table. Both tables have the same columns, but Prisma's types do not show it. */
export function termTable(tx: Pick<Transaction, 'category' | 'tag'>, kind: TermKind) {
  return kind === 'category' ? tx.category : (tx.tag as unknown as Transaction['category']);
}
