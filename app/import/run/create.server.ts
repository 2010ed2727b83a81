import { newId } from '#app/platform/clock.ts';
import { insertRows } from '#app/platform/database/insert-rows.server.ts';
import { say } from '#app/platform/message.ts';
import type { Clocked } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { storeFields } from '#app/posts/fields/stored.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import { resolveAuthors, setPostAuthors } from '#app/publishing/post-row/authors.server.ts';
import { storeOutcome } from '#app/publishing/post-row/revisions.server.ts';
import { columnsOf, resolveReferences } from '#app/publishing/post-row/row.server.ts';
import { ensureTags } from '#app/publishing/post-row/tags.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import type { PlannedPost } from './import-plan.server.ts';
import { replaceComments } from './replace-comments.server.ts';

/** A planned post with the ids of its category and its author. */
export interface NewPost {
  post: PlannedPost;
  fields: PostFields;
  authorId: string | null;
}

/**
 * Writes new posts with their tags, authors, comments and first revisions. Uses one statement per table: an import
 * spends most of its time here.
 * @returns their ids, in order
 */
export async function createImported(
  app: Clocked,
  { tx, now, affectsWritten }: PublicChange,
  posts: NewPost[],
  settings: Settings,
): Promise<string[]> {
  if (posts.length === 0) return [];
  const rows = [];
  for (const { post, fields: requested, authorId } of posts) {
    const authors = await resolveAuthors(tx, requested.authors);
    // The category needs no check: this transaction created or found it.
    const isComplete = requested.coverMediaId === null && requested.translationOf === null;
    const resolved = isComplete ? requested : await resolveReferences(tx, requested, null);
    const fields = { ...resolved, authors: authors.map(({ name }) => name) };
    rows.push({ id: newId(app.clock), post, fields, authorId, authors });
  }
  await insertRows(
    tx,
    'posts',
    rows.map(({ id, post, fields, authorId }) => ({
      ...columnsOf(fields, post.rendered, { slug: post.address, settings }),
      id,
      status: post.status,
      hasBeenPublic: post.status === 'published',
      authorId,
      sourceGuid: post.guid,
      contentUpdatedAt: lastSeenChange(post, now),
      createdAt: now,
      updatedAt: now,
    })),
  );
  const tagsOf = await insertPostTags(
    app,
    tx,
    rows.map(({ id, post }) => ({ postId: id, tags: post.tags })),
  );
  await insertRows(
    tx,
    'revisions',
    rows.map(({ id, post, fields, authorId }) => ({
      id: newId(app.clock),
      postId: id,
      postVersion: 1,
      kind: 'import',
      authorId,
      fields: storeFields({ ...fields, tags: tagsOf.get(id) ?? [] }),
      summary: toStored(say('Imported ({source})', { source: post.source })),
      outcome: storeOutcome({ changed: [], from: 'draft', to: post.status }),
      createdAt: now,
      updatedAt: now,
    })),
  );
  for (const { id, post, authors } of rows) {
    if (post.comments.length > 0) await replaceComments(tx, app.clock, id, post.comments);
    if (authors.length > 0) await setPostAuthors(tx, id, authors);
    if (post.status === 'published') affectsWritten(id);
  }
  return rows.map(({ id }) => id);
}

/**
 * Inserts the tags of posts.
 * @returns each post's tag names, as the existing tags spell them
 */
async function insertPostTags(
  app: Clocked,
  tx: PublicChange['tx'],
  posts: { postId: string; tags: PlannedPost['tags'] }[],
): Promise<Map<string, string[]>> {
  const tagsToCreate = posts.flatMap(({ tags }) => tags);
  if (tagsToCreate.length === 0) return new Map();
  const bySlug = new Map(
    (await ensureTags(tx, app.clock, tagsToCreate)).map((tag, index) => [tagsToCreate[index]!.slug, tag]),
  );
  const tagged = posts.map(({ postId, tags }) => {
    return { postId, tags: [...new Set(tags.map(({ slug }) => bySlug.get(slug)!))] };
  });
  await insertRows(
    tx,
    'post_tags',
    tagged.flatMap(({ postId, tags }) =>
      tags.map(({ id: tagId }, position) => ({ postId, tagId, position })),
    ),
  );
  return new Map(tagged.map(({ postId, tags }) => [postId, tags.map(({ name }) => name)]));
}

// The time of the last change that readers saw, at the source. The import itself is no such change.
function lastSeenChange({ updatedAt, fields: { publishedAt } }: PlannedPost, now: Date): Date {
  const changedAt = updatedAt ?? publishedAt;
  return changedAt !== null && changedAt < now ? changedAt : now;
}
