import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { ownSlug } from '../paths.ts';
import { columnFieldNames, type PostFields, pickFields } from './fields.ts';

type PostRow = Prisma.PostGetPayload<object>;

/** A post's editable fields as stored. */
export async function readPostFields(
  db: Pick<Transaction, 'postTag' | 'postAuthor'>,
  row: PostRow,
): Promise<PostFields> {
  return (await readFieldsOfPosts(db, [row])).get(row.id)!;
}

/** The editable fields of several posts, by id, with as many statements as for one. */
export async function readFieldsOfPosts(
  db: Pick<Transaction, 'postTag' | 'postAuthor'>,
  rows: readonly PostRow[],
): Promise<Map<string, PostFields>> {
  const where = { postId: { in: rows.map(({ id }) => id) } };
  const tags = await db.postTag.findMany({
    where,
    orderBy: { position: 'asc' },
    select: { postId: true, tag: { select: { name: true } } },
  });
  const authors = await db.postAuthor.findMany({
    where,
    orderBy: { position: 'asc' },
    select: { postId: true, name: true, user: { select: { username: true } } },
  });
  const fieldsOf = (row: PostRow) => ({
    ...(pickFields(row, columnFieldNames) as PostFields),
    slug: ownSlug(row.slug),
    tags: tags.flatMap(({ postId, tag }) => (postId === row.id ? [tag.name] : [])),
    authors: authors.flatMap(({ postId, name, user }) => (postId === row.id ? [user?.username ?? name] : [])),
  });
  return new Map(rows.map((row) => [row.id, fieldsOf(row)]));
}
