import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { intentFor, notTrashed, type PostStatus } from '#app/posts/fields/states.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';

/** A post as commands print it (contract, section 15). */
interface PrintedPost {
  id: string;
  slug: string;
  status: string;
  publishedAt: Date | null;
}

const printed = { id: true, slug: true, status: true, publishedAt: true } as const;

/** Posts in one state or in any but the trash, the last changed one first. */
export async function listPosts(app: App, { status, limit }: { status?: PostStatus; limit: number }) {
  const posts = await app.db.post.findMany({
    where: status ? { status } : notTrashed,
    select: { id: true, slug: true, title: true, status: true, publishedAt: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return { posts, total: await countPosts(app, {}, status ?? 'any') };
}

/** @throws AppError `not_found` */
export async function showPost(app: App, slugOrId: string): Promise<PrintedPost> {
  const byId = await app.db.post.findFirst({ where: { id: slugOrId, ...notTrashed }, select: printed });
  const post =
    byId ?? (await app.db.post.findFirst({ where: { slug: slugOrId, ...notTrashed }, select: printed }));
  if (post) return post;
  throw new AppError(
    'not_found',
    `There is no post with the slug or id “${slugOrId}”. See npm run posts:list.`,
  );
}

/** Publishes or archives a post as an editor would. One that already has the state stays as it is. */
export async function bringTo(
  app: App,
  slugOrId: string,
  status: 'published' | 'archived',
): Promise<PrintedPost> {
  const post = await showPost(app, slugOrId);
  if (post.status === status) return post;
  await editPost(app, { postId: post.id, intent: intentFor[status], fields: {}, editorId: null });
  return showPost(app, post.id);
}

/** @throws AppError `invalid_input` with the first thing that is wrong */
export async function createDraft(
  app: App,
  texts: { title: string; slug: string; body: string },
): Promise<PrintedPost> {
  const fields = postFieldsSchema(await readSetting(app, 'site_timezone')).safeParse(texts);
  if (!fields.success) throw new AppError('invalid_input', fields.error.issues[0]!.message);
  const { id } = await createPost(app, { intent: 'save', fields: fields.data, editorId: null });
  return showPost(app, id);
}
