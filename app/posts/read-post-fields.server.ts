import type { Prisma, Transaction } from '#app/platform/database.server.ts';
import { columnFieldNames, pickFields, type PostFields } from './fields.ts';

/** A post's editable fields as they are in the database. */
export async function readPostFields(
  db: Pick<Transaction, 'postTag'>,
  row: Prisma.PostGetPayload<object>,
): Promise<PostFields> {
  const tags = await db.postTag.findMany({
    where: { postId: row.id },
    orderBy: { position: 'asc' },
    select: { tag: { select: { name: true } } },
  });
  return { ...pickFields(row, columnFieldNames), tags: tags.map(({ tag }) => tag.name) };
}
