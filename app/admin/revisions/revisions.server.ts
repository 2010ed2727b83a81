import * as z from 'zod';
import { describeDifferences } from '#app/admin/differences/describe.server.ts';
import { answerConflict, findPostFor } from '#app/admin/editor/model/post.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { isOneOf } from '#app/platform/narrow.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { savedKinds } from '#app/posts/fields/stored.ts';
import { listRevisions, readRevision } from '#app/posts/history/revisions.server.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { restoreRevision } from '#app/publishing/posts/restore-revision.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';

const CURRENT = 'current';

export async function load({ app, params, user, request, adminContext }: ScreenArguments) {
  const row = await findPostFor(app, user, params.id);
  const revisions = await listRevisions(app, row.id);
  const query = new URL(request.url).searchParams;
  const requested = { from: query.get('from') || undefined, to: query.get('to') || CURRENT };
  const saved = revisions.filter(({ kind }) => isOneOf(savedKinds, kind));
  // The editor asks for the changes since the version that it shows.
  const since = query.get('since');
  const seen = since !== null && saved.find(({ postVersion }) => postVersion <= Number(since));
  // By default, the page shows the changes of the newest save.
  const from = requested.from ?? (seen || saved[1])?.id;
  const fieldsOf = async (id: string) =>
    id === CURRENT ? readPostFields(app.db, row) : (await readRevision(app, row.id, id)).fields;
  const view = query.get('view') === 'source' ? 'source' : 'page';
  const [before, after] = from ? [await fieldsOf(from), await fieldsOf(requested.to)] : [];
  const diff = before && after ? await describeDifferences(app, before, after, adminContext) : null;
  const hasNewBody = before && after && before.body !== after.body;
  return {
    post: { id: row.id, title: row.title, version: row.version, status: row.status },
    revisions,
    from: from ?? null,
    to: requested.to,
    diff,
    view,
    page: hasNewBody && view === 'page' ? await comparedPage(app, before, after) : null,
    restored: query.has('restored'),
  };
}

/** The page with the changes marked, or null if its texts are too large or differ in too much. */
async function comparedPage(app: ScreenArguments['app'], before: PostFields, after: PostFields) {
  const settings = await readSettings(app);
  const htmlOf = async ({ body, language }: PostFields) =>
    (await renderBody({ ...app, settings }, body, language)).html;
  try {
    const blocks = await app.workers.comparePages(await htmlOf(before), await htmlOf(after));
    return blocks && { blocks, language: after.language || settings.site_language };
  } catch (error) {
    // A text that can't be rendered in time; its source can be compared.
    if (isAppError(error)) return null;
    throw error;
  }
}

const formSchema = z.object({
  intent: z.literal('restore', 'This action is unknown. Use one of the buttons.'),
  revisionId: z.string().max(64),
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
});

export async function act(args: ActionArguments): Promise<Done | ActionResult> {
  const { app, form, params, user, adminContext } = args;
  const row = await findPostFor(app, user, params.id, 'save');
  const parsed = formSchema.safeParse(form.values);
  if (!parsed.success) throw new AppError('invalid_input', messageOfIssue(parsed.error.issues[0]!));
  const { revisionId, version } = parsed.data;
  const restoration = { postId: row.id, revisionId, version, editorId: user.id };
  return answerConflict(args, row.id, async () => {
    const { id, version: saved, status } = await restoreRevision(app, restoration);
    const location = `${adminUrl(adminContext.adminPath, 'posts', row.id, 'revisions')}?restored`;
    return { location, id, version: saved, status };
  });
}
