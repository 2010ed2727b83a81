import type { Prisma, Transaction } from '#app/platform/database.server.ts';
import type { PostFields } from './post-fields.ts';
import { postFieldNames } from './revision.ts';

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
  const names = postFieldNames.filter((name) => name !== 'tags');
  const columns = Object.fromEntries(names.map((name) => [name, row[name]])) as Omit<PostFields, 'tags'>;
  return { ...columns, tags: tags.map(({ tag }) => tag.name) };
}
