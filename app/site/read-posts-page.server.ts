import type { App } from '#app/app.ts';
import { listPosts } from '#app/posts/queries.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { notFound } from './not-found.server.ts';
import { readPageNumber } from './params.ts';

/**
 * One page of a list of posts.
 * @throws the 404 page for a page that does not exist.
 */
export async function readPostsPage(app: App, request: Request, listedIn: string) {
  const page = readPageNumber(new URL(request.url));
  const pageSize = await readSetting(app, 'posts_per_page');
  const list = page && (await listPosts(app, { scope: { listedIn }, page, pageSize }));
  if (!list) throw await notFound(app);
  return list;
}
