import type { AppLoadContext } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { summaryColumns } from '#app/posts/lists/public-post.ts';
import { listPosts, summarise } from '#app/posts/lists/queries.server.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { decodePath, postPath } from '#app/posts/paths.ts';
import { readPageSize, readSetting } from '#app/settings/queries.server.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readPageNumber } from '#app/site/shell/params.ts';
import { readHomeSections } from './home-sections.server.ts';
import { withFirstPictures } from './list-covers.server.ts';

/**
 * One page of a list of posts; the first one with the sections below it.
 * @throws the 404 page for a page that does not exist.
 */
export async function readPostsPage(
  app: App,
  { request, context, listedIn }: { request: Request; context: AppLoadContext; listedIn: string },
) {
  const page = readPageNumber(new URL(request.url));
  const pageSize = await readPageSize(app);
  const list = page && (await listPosts(app, { scope: { listedIn }, page, pageSize }));
  if (!list) throw await notFound(app);
  if (page !== 1) return { ...(await withFirstPictures(app, context, list)), sections: [] };
  const [pinned, sections] = await Promise.all([findPinned(app, listedIn), readHomeSections(app, listedIn)]);
  const posts = pinned ? [pinned, ...list.posts.filter(({ id }) => id !== pinned.id)] : list.posts;
  return { ...(await withFirstPictures(app, context, { ...list, posts })), sections };
}

/** The pinned post, if it is public and of this list. It is found by a former address too. */
async function findPinned(app: App, listedIn: string) {
  const slug = decodePath((await readSetting(app, 'pinned_post')).replace(/\/*(?:[?#].*)?$/, ''));
  if (!slug) return null;
  const moved = await app.db.redirect.findUnique({
    where: { path: postPath(slug) },
    select: { postId: true },
  });
  const where = { ...(moved?.postId ? { id: moved.postId } : { slug }), listedIn, ...isPublic };
  const row = await app.db.post.findFirst({ where, select: summaryColumns });
  return row ? (await summarise(app, [row]))[0]! : null;
}
