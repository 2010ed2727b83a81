import type { AppLoadContext } from '@remix-run/node';
import type { App } from '#app/app.ts';
import type { PostSummary } from '#app/posts/lists/public-post.ts';
import { readFirstPictures } from '#app/posts/pictures/first-pictures.server.ts';
import { withThumbnails, type CoverRow, type WithThumbnail } from '#app/posts/pictures/thumbnails.server.ts';
import { showsCovers } from '#app/site/covers/cover-image.tsx';
import { siteFrameOf } from '#app/site/shell/frame.server.ts';

/** The posts of a list with their covers. Reads none if the site's lists have no pictures. */
export async function withShownCovers<Row extends CoverRow>(
  app: App,
  context: Pick<AppLoadContext, 'appearance'>,
  posts: Row[],
): Promise<WithThumbnail<Row>[]> {
  const isShown = showsCovers(await siteFrameOf(app, context));
  return withThumbnails(app, isShown ? posts : posts.map((post) => ({ ...post, coverMediaId: null })));
}

/** The posts of a list, those without a cover with the first picture of their text, if the site's lists have pictures. */
export async function withFirstPictures<List extends { posts: PostSummary[] }>(
  app: App,
  context: Pick<AppLoadContext, 'appearance'>,
  list: List,
): Promise<List> {
  if (!showsCovers(await siteFrameOf(app, context))) return list;
  const bare = list.posts.filter(({ cover }) => cover === null).map(({ id }) => id);
  const pictures = await readFirstPictures(app, bare);
  const posts = list.posts.map((post) => ({ ...post, cover: post.cover ?? pictures.get(post.id) ?? null }));
  return { ...list, posts };
}
