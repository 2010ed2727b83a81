import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments, ScreenModule } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { unknownIntent } from '#app/admin/unknown-intent.ts';
import { byUser } from '#app/auth/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/parse-form.ts';
import { deleteCategory, deleteTag } from '#app/publishing/delete-topic.server.ts';
import { mergeTags } from '#app/publishing/merge-tags.server.ts';
import { saveTopic } from '#app/publishing/save-topic.server.ts';
import { listAllTopics } from '#app/taxonomy/queries.server.ts';
import { topicSchema } from '#app/taxonomy/topic-form.ts';
import { topicWords, type TopicKind } from './topic-words.ts';

/** One category or tag: its form, and what becomes of its posts when it goes. */
export function topicScreen(kind: TopicKind) {
  return {
    async load({ app, params, request }: ScreenArguments) {
      const topic = await findTopic(app, kind, params.id);
      const all = await listAllTopics(app, kind);
      const counts = all.find(({ id }) => id === topic.id);
      return {
        kind,
        topic: { ...topic, posts: counts?.posts ?? 0, published: counts?.published ?? 0 },
        others: all.filter(({ id }) => id !== topic.id).map(({ id, name }) => ({ id, name })),
        saved: new URL(request.url).searchParams.has('saved'),
      };
    },

    async act(args: ScreenArguments): Promise<ActionResult | Response> {
      const { app, params, request, frame } = args;
      const { id } = await findTopic(app, kind, params.id);
      const values = await readForm(request);
      const list = adminUrl(frame.adminPath, topicWords[kind].segment);
      return withValues(values, async () => {
        switch (values.intent ?? 'save') {
          case 'save':
            await saveTopic(app, kind, id, parseForm(topicSchema, values));
            return redirect(`${list}/${id}?saved`);
          case 'delete':
            await remove(args, kind, id, values.heirId ?? '');
            return redirect(`${list}?deleted`);
          case 'merge':
            if (kind !== 'tag') break;
            await merge(args, id, values.intoId ?? '');
            return redirect(`${list}/${values.intoId}?saved`);
        }
        throw unknownIntent();
      });
    },
  } satisfies ScreenModule;
}

export type TopicData = Awaited<ReturnType<ReturnType<typeof topicScreen>['load']>>;

async function findTopic(app: ScreenArguments['app'], kind: TopicKind, id = '') {
  const topic = await (kind === 'category'
    ? app.db.category.findUnique({ where: { id } })
    : app.db.tag.findUnique({ where: { id } }));
  if (!topic) throw new AppError('not_found', `This ${kind} does not exist.`);
  return topic;
}

function remove({ app, user, address }: ScreenArguments, kind: TopicKind, id: string, heirId: string) {
  const by = byUser(user, address);
  if (kind === 'tag') return deleteTag(app, by, id);
  return deleteCategory(app, by, { id, heirId: heirId || null });
}

function merge({ app, user, address }: ScreenArguments, id: string, intoId: string) {
  return mergeTags(app, byUser(user, address), { id, intoId });
}
