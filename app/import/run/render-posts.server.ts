import type { ValidPost } from '#app/import/model/post.ts';
import { isAppError, type AppError } from '#app/platform/errors.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { renderBody } from '#app/publishing/post-row/render-body.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import type { ResolvedPost } from './resolved-post.ts';

type RenderApp = PublishingContext & { settings: Settings };

/** A post whose texts are not rendered yet. */
export type PreparedPost = Omit<ResolvedPost, 'rendered' | 'comments'> & Pick<ValidPost, 'comments'>;

/**
 * Renders the texts of posts, all at once: while a worker thread does it, this one reads the next items.
 * @returns each post in order, or why its text cannot be rendered
 */
export function renderPosts(
  app: RenderApp,
  posts: PreparedPost[],
): Promise<{ key: string; value: ResolvedPost | AppError }[]> {
  return Promise.all(
    posts.map(async (post) => {
      const value = await renderPost(app, post).catch((error: unknown) => {
        if (isAppError(error) && error.code === 'invalid_input') return error;
        throw error;
      });
      return { key: post.key, value };
    }),
  );
}

async function renderPost(app: RenderApp, post: PreparedPost): Promise<ResolvedPost> {
  const { body, language } = post.fields;
  const rendered = await renderBody(app, body, language);
  const comments = [];
  for (const comment of post.comments)
    comments.push({ ...comment, html: (await renderBody(app, comment.text)).html });
  return { ...post, rendered, comments };
}
