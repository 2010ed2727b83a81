import type { Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { categoryPath, tagPath } from '#app/posts/paths.ts';

/** Categories and tags: alike but for their tables and how posts have them. */
export type TopicKind = 'category' | 'tag';

export const topicPath = { category: categoryPath, tag: tagPath } as const;
const redirectTarget = { category: 'categoryId', tag: 'tagId' } as const;

/** A topic's table. Both have the same columns, which Prisma's types do not know. */
export function topicTable(tx: Pick<Transaction, 'category' | 'tag'>, kind: TopicKind) {
  return kind === 'category' ? tx.category : (tx.tag as unknown as Transaction['category']);
}

/** @throws AppError `not_found`. */
export async function requireTopic(tx: Transaction, kind: TopicKind, id: string) {
  const topic = await topicTable(tx, kind).findUnique({ where: { id } });
  if (!topic) throw new AppError('not_found', `This ${kind} no longer exists.`);
  return topic;
}

/** Ids of a topic's posts whose readers and search see it. */
export async function publishedPostsOf(tx: Transaction, kind: TopicKind, id: string): Promise<string[]> {
  const having = kind === 'category' ? { categoryId: id } : { tags: { some: { tagId: id } } };
  const posts = await tx.post.findMany({ where: { ...having, status: 'published' }, select: { id: true } });
  return posts.map((post) => post.id);
}

/**
 * Makes sure that a slug is free. An old address of another topic is taken over: what lives there now
 * comes first.
 * @throws AppError `invalid_input` on `slug`.
 */
export async function claimTopicSlug(
  tx: Transaction,
  kind: TopicKind,
  topicId: string,
  slug: string,
): Promise<void> {
  const holder = await topicTable(tx, kind).findUnique({ where: { slug } });
  if (holder && holder.id !== topicId) {
    const message = `The slug is used by the ${kind} “${holder.name}”. Choose another.`;
    throw new AppError('invalid_input', message, { fields: { slug: [message] } });
  }
  await tx.redirect.deleteMany({ where: { path: topicPath[kind](slug) } });
}

/** Leaves a permanent redirect from an old address to a topic, by its id; its feed follows. */
export async function leaveTopicRedirect(
  tx: Transaction,
  kind: TopicKind,
  topicId: string,
  oldSlug: string,
  now: Date,
): Promise<void> {
  const path = topicPath[kind](oldSlug);
  const target = { postId: null, categoryId: null, tagId: null, [redirectTarget[kind]]: topicId };
  await tx.redirect.upsert({ where: { path }, create: { path, createdAt: now, ...target }, update: target });
}

/** Lets everything that leads to one topic lead to another, its own address too. */
export async function moveTopicAddresses(
  tx: Transaction,
  kind: TopicKind,
  from: { id: string; slug: string },
  toId: string,
  now: Date,
): Promise<void> {
  const column = redirectTarget[kind];
  await tx.redirect.updateMany({ where: { [column]: from.id }, data: { [column]: toId } });
  await leaveTopicRedirect(tx, kind, toId, from.slug, now);
}
