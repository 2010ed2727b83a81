import type { Prisma } from '#app/platform/database/client.server.ts';
import { type Message } from '#app/platform/message.ts';

export type ReleaseItemRow = Prisma.ReleaseItemGetPayload<object>;

/** Why one change of a release cannot be published. */
export interface ItemProblem {
  itemId: string;
  problem: Message;
  /** The field of the post's form that is wrong; absent: the address as a whole, or none. */
  field?: 'parentId' | 'type';
}
