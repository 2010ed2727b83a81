import type { Prisma, Transaction } from '#app/platform/database.server.ts';
import { columnFieldNames, pickFields, type PostFields } from './fields.ts';
import { ownSlug } from './paths.ts';

/** A post's editable fields as they are in the database. */
export async function readPostFields(
  db: Pick<Transaction, 'postTag' | 'postAuthor'>,
  row: Prisma.PostGetPayload<object>,
): Promise<PostFields> {
  const tags = await db.postTag.findMany({
    where: { postId: row.id },
    orderBy: { position: 'asc' },
    select: { tag: { select: { name: true } } },
  });
  const authors = await db.postAuthor.findMany({
    where: { postId: row.id },
    orderBy: { position: 'asc' },
    select: { name: true, user: { select: { username: true } } },
  });
  return {
    ...(pickFields(row, columnFieldNames) as PostFields),
    slug: ownSlug(row.slug),
    tags: tags.map(({ tag }) => tag.name),
    authors: authors.map(({ name, user }) => user?.username ?? name),
  };
}
