import type { Transaction } from '#app/platform/database/client.server.ts';

/** An author as a post names it: an account, or a guest by name. */
export interface ResolvedAuthor {
  userId: string | null;
  /** An account's username, or a guest's name, as in the post's field. */
  name: string;
  /** The name that readers see. */
  displayName: string;
}

/** The posts of an account, and those that name it as one of their authors. */
export const postsWithAuthor = (userId: string) => ({
  OR: [{ authorId: userId }, { authors: { some: { userId } } }],
});

/** Resolves names from a form: usernames first, then display names that only one account has. All others are guests. */
export async function resolveAuthors(
  tx: Pick<Transaction, 'user'>,
  names: string[],
): Promise<ResolvedAuthor[]> {
  if (names.length === 0) return [];
  const usernames = names.map((name) => name.toLowerCase());
  const users = await tx.user.findMany({
    where: { OR: [{ username: { in: usernames } }, { displayName: { in: names } }] },
    select: { id: true, username: true, displayName: true },
    orderBy: { id: 'asc' },
  });
  const resolved = names.map((name): ResolvedAuthor => {
    const user =
      users.find(({ username }) => username === name.toLowerCase()) ??
      users.find(({ displayName }) => displayName === name);
    return user
      ? { userId: user.id, name: user.username, displayName: user.displayName }
      : { userId: null, name, displayName: name };
  });
  return resolved.filter(
    (author, index) =>
      resolved.findIndex(({ userId, name }) => userId === author.userId && name === author.name) === index,
  );
}

/** Names from a form as a post's field has them: the usernames of accounts, and the names of guests. */
export async function presentAuthorNames(tx: Pick<Transaction, 'user'>, names: string[]): Promise<string[]> {
  return (await resolveAuthors(tx, names)).map(({ name }) => name);
}

/** Sets exactly these authors on a post, in this order. */
export async function setPostAuthors(
  tx: Transaction,
  postId: string,
  authors: ResolvedAuthor[],
): Promise<void> {
  await tx.postAuthor.deleteMany({ where: { postId } });
  if (authors.length === 0) return;
  await tx.postAuthor.createMany({
    data: authors.map(({ userId, name }, position) => ({
      postId,
      position,
      userId,
      name: userId === null ? name : '',
    })),
  });
}
