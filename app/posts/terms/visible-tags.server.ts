import { may, type Actor } from '#app/people/roles.ts';
import type { Db } from '#app/platform/services.ts';
import { postStatuses, TRASHED } from '#app/posts/fields/states.ts';
import { countEachList } from '#app/posts/lists/counts.server.ts';

/** The most unpublished posts of a person whose tags are read, the last changed ones. */
const OWN_POSTS_READ = 500;

const unpublished = [...postStatuses.filter((status) => status !== 'published'), TRASHED];

/** The first tags by name of which a person may know, as `hiddenTags` says. */
export async function listVisibleTags(
  app: Db,
  user: Actor,
  take: number,
): Promise<{ id: string; name: string }[]> {
  const hidden = await hiddenTags(app, user);
  const tags = await app.db.tag.findMany({
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: take + hidden.size,
  });
  return tags.filter(({ id }) => !hidden.has(id)).slice(0, take);
}

/**
 * The ids of the tags that would betray what others plan: their unpublished posts, and no others, have them. Tags that
 * no post has are not among them.
 */
export async function hiddenTags(app: Db, user: Actor): Promise<ReadonlySet<string>> {
  if (may(user, 'posts:all')) return new Set();
  const counts = await countEachList(app, 'tag');
  const hidden = new Set([...counts].flatMap(([id, { published }]) => (published === 0 ? [id] : [])));
  for (const id of await trashedTags(app)) if (!counts.get(id)?.published) hidden.add(id);
  if (hidden.size === 0) return hidden;
  const own = await app.db.post.findMany({
    where: { authorId: user.id, status: { in: unpublished } },
    select: { tags: { select: { tagId: true } } },
    orderBy: { updatedAt: 'desc' },
    take: OWN_POSTS_READ,
  });
  for (const { tags } of own) for (const { tagId } of tags) hidden.delete(tagId);
  return hidden;
}

/** The tags of posts in the trash, which the counts leave out. */
async function trashedTags({ db }: Db): Promise<string[]> {
  const trashed = await db.post.findMany({
    where: { status: TRASHED },
    select: { tags: { select: { tagId: true } } },
    orderBy: { updatedAt: 'desc' },
    take: OWN_POSTS_READ,
  });
  return trashed.flatMap(({ tags }) => tags.map(({ tagId }) => tagId));
}
