import type { Transaction } from '#app/platform/database.server.ts';

/** Categories and tags: alike but for their tables and how posts have them. */
export type TermKind = 'category' | 'tag';

/** A term's table. Both have the same columns, which Prisma's types do not know. */
export function termTable(tx: Pick<Transaction, 'category' | 'tag'>, kind: TermKind) {
  return kind === 'category' ? tx.category : (tx.tag as unknown as Transaction['category']);
}
