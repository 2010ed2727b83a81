import { cutText } from '#app/platform/text/graphemes.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { createPost, type SavedPost } from './save.server.ts';

const TITLE_MAX = 300;
const SUFFIX = ' (copy)';

/**
 * Creates a draft with a post's saved fields. Its address is made from its title. Times, the canonical address, the
 * translated post, the newsletter and the field `template` are not copied.
 * @throws AppError `not_found`.
 */
export async function duplicatePost(
  app: PublishingContext,
  input: { postId: string; editorId: string; address?: string },
): Promise<SavedPost> {
  const { postId, editorId, address } = input;
  const row = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!row) throw postNotFound();
  const fields = await readPostFields(app.db, row);
  // A post made from a template needs no suffix, because the template is not public.
  const suffix = fields.template === 'yes' ? '' : SUFFIX;
  const notCopied = {
    title: `${cutText(fields.title, TITLE_MAX - suffix.length)}${suffix}`,
    slug: '',
    publishedAt: null,
    archiveAt: null,
    canonicalUrl: '',
    translationOf: null,
    ...{ template: '', sendByEmail: '', emailSubject: '', emailPreview: '' },
  };
  const slugFollowsTitle = suffix === '';
  return createPost(app, {
    intent: 'save',
    fields: { ...fields, ...notCopied },
    slugFollowsTitle,
    editorId,
    address,
  });
}
