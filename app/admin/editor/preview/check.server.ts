import { readCategoryChoices, type EditorChoices } from '#app/admin/editor/model/data.server.ts';
import { inJson, messagesFor } from '#app/admin/frame/json-answers.server.ts';
import type { ActionArguments, AdminContext } from '#app/admin/frame/screen.ts';
import { postsVisibleTo } from '#app/people/post-access.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/http/responses.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { emptyPostFields } from '#app/posts/fields/values.ts';
import { renderBody } from '#app/publishing/post-row/render-body.server.ts';
import { describePublication, type Publication } from './describe.server.ts';

/** A described publication, and the current categories: the page may have been open for hours. */
export type CheckedForm = Publication & Pick<EditorChoices, 'categories'>;

/** The address has no page: only the publish panel posts here. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/** What the publish panel shows for the submitted form, which need not be saved. Changes nothing. */
export const act = inJson(async (args) => {
  const fields = readFields(args.form.values, args.adminContext);
  const { html, tableOfContents: headings } = await renderBody(args.app, fields.body, fields.language);
  const publication = await describePublication(args, fields, {
    html,
    headings,
    creator: await creatorOf(args),
    postId: new URL(args.request.url).searchParams.get('post'),
  });
  const inWords = messagesFor(args);
  const checks = publication.checks.map(({ name, message }) => ({ name, message: inWords(message) }));
  return apiData({
    ...publication,
    checks,
    categories: await readCategoryChoices(args.app),
  } satisfies CheckedForm);
});

/** The display name of the post's creator; for a new post, of the user. */
async function creatorOf({ app, request, user }: ActionArguments): Promise<string> {
  const id = new URL(request.url).searchParams.get('post');
  const author = { select: { displayName: true } };
  const post = id
    ? await app.db.post.findFirst({ where: { id, ...postsVisibleTo(user) }, select: { author } })
    : null;
  return post?.author?.displayName ?? user.displayName;
}

/** Reads the form with invalid fields as empty ones, since the save reports them. */
export function readFields(
  values: Readonly<Record<string, string>>,
  { timeZone }: Pick<AdminContext, 'timeZone'>,
): PostFields {
  const schema = postFieldsSchema(timeZone);
  const parsed = schema.safeParse(values);
  if (parsed.success) return { ...emptyPostFields, ...parsed.data };
  const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const validEntries = Object.entries(values).filter(([name]) => !wrong.has(name));
  return { ...emptyPostFields, ...schema.parse(Object.fromEntries(validEntries)) };
}
