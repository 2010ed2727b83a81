import { newId } from '#app/platform/clock.ts';
import { AppError } from '#app/platform/errors.ts';
import { isUniqueViolation } from '#app/platform/transaction.server.ts';
import type { TopicFields } from '#app/taxonomy/topic-form.ts';
import { changePublicContent, type DoorApp } from './public-change.server.ts';
import {
  claimTopicSlug,
  leaveTopicRedirect,
  publishedPostsOf,
  requireTopic,
  topicTable,
  type TopicKind,
} from './topics.server.ts';

/** Creates a category or tag. @throws AppError `invalid_input` on `slug`. */
export async function createTopic(
  app: DoorApp,
  kind: TopicKind,
  fields: TopicFields,
): Promise<{ id: string }> {
  return refusingTakenSlug(() =>
    changePublicContent(app, async ({ tx, now }) => {
      const id = newId(app.clock);
      await claimTopicSlug(tx, kind, id, fields.slug);
      await topicTable(tx, kind).create({ data: { ...fields, id, createdAt: now, updatedAt: now } });
      return { id };
    }),
  );
}

/**
 * Changes a category or tag; an old address leads to the new one for good.
 * @throws AppError `not_found`; `invalid_input` on `slug`.
 */
export async function saveTopic(
  app: DoorApp,
  kind: TopicKind,
  id: string,
  fields: TopicFields,
): Promise<void> {
  await refusingTakenSlug(() =>
    changePublicContent(app, async ({ tx, now, touch }) => {
      const before = await requireTopic(tx, kind, id);
      await claimTopicSlug(tx, kind, id, fields.slug);
      await topicTable(tx, kind).update({ where: { id }, data: { ...fields, updatedAt: now } });
      if (before.slug !== fields.slug) await leaveTopicRedirect(tx, kind, id, before.slug, now);
      // The index knows the name.
      if (before.name !== fields.name) touch(...(await publishedPostsOf(tx, kind, id)));
    }),
  );
}

async function refusingTakenSlug<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = 'This slug was taken a moment ago. Choose another.';
    throw new AppError('invalid_input', message, { fields: { slug: [message] } });
  }
}
