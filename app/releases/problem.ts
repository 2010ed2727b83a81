import type { Prisma } from '#app/platform/database/client.server.ts';

export type ReleaseItemRow = Prisma.ReleaseItemGetPayload<object>;

/** Why one change of a release cannot be published. */
export interface ItemProblem {
  itemId: string;
  problem: string;
  /** The field of the post's form that is wrong; absent: the address as a whole, or none. */
  field?: 'parentId' | 'type';
}
