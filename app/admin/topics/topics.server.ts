import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments, ScreenModule } from '#app/admin/screen.ts';
import { unknownIntent } from '#app/admin/unknown-intent.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { parseForm } from '#app/platform/parse-form.ts';
import { createTopic } from '#app/publishing/save-topic.server.ts';
import { topicSchema } from '#app/taxonomy/topic-form.ts';
import { listAllTopics } from '#app/taxonomy/queries.server.ts';
import { topicWords, type TopicKind } from './topic-words.ts';

/** The list of categories, or of tags, with the form for a new one. */
export function topicsScreen(kind: TopicKind) {
  return {
    async load({ app, request }: ScreenArguments) {
      const topics = await listAllTopics(app, kind);
      return { kind, topics, deleted: new URL(request.url).searchParams.has('deleted') };
    },
    async act({ app, request, frame }: ScreenArguments): Promise<ActionResult | Response> {
      const values = await readForm(request);
      return withValues(values, async () => {
        if ((values.intent ?? 'save') !== 'save') throw unknownIntent();
        const { id } = await createTopic(app, kind, parseForm(topicSchema, values));
        return redirect(`${adminUrl(frame.adminPath, topicWords[kind].segment, id)}?saved`);
      });
    },
  } satisfies ScreenModule;
}

export type TopicsData = Awaited<ReturnType<ReturnType<typeof topicsScreen>['load']>>;
