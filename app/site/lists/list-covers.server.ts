import type { AppLoadContext } from '@remix-run/node';
import type { App } from '#app/app.ts';
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
