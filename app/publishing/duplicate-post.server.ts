import { AppError } from '#app/platform/errors.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { notTrashed } from '#app/posts/states.ts';
import type { PublishingContext } from './public-change.server.ts';
import { createPost, type SavedPost } from './save-post.server.ts';

const TITLE_MAX = 300;
const SUFFIX = ' (copy)';

/**
 * Makes a new draft with a post's text and settings as they are saved. Its address is made from its title; times and
 * the canonical address stay with the post that they belong to.
 * @throws AppError `not_found`.
 */
export async function duplicatePost(
  app: PublishingContext,
  input: { postId: string; editorId: string; address?: string },
): Promise<SavedPost> {
  const { postId, editorId, address } = input;
  const row = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!row) throw new AppError('not_found', 'This post no longer exists.');
  const fields = await readPostFields(app.db, row);
  // A post that begins from a template is no copy of something that readers know.
  const suffix = fields.template === 'yes' ? '' : SUFFIX;
  const own = {
    title: `${[...fields.title].slice(0, TITLE_MAX - suffix.length).join('')}${suffix}`,
    slug: '',
    publishedAt: null,
    archiveAt: null,
    canonicalUrl: '',
    translationOf: null,
    template: '',
  };
  const slugFollowsTitle = suffix === '';
  return createPost(app, {
    intent: 'save',
    fields: { ...fields, ...own },
    slugFollowsTitle,
    editorId,
    address,
  });
}
