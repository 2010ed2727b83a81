import { inJson } from '#app/admin/frame/json-answers.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/http/responses.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { renderBody } from '#app/publishing/post-row/render-body.server.ts';

/** The address has no page: only the live preview posts here. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/** The live preview: the text of the form as the server renders it, `{html}`. */
export const act = inJson(async ({ app, form, adminContext }) => {
  const schema = postFieldsSchema(adminContext.timeZone);
  const parsed = schema.pick({ body: true }).safeParse(form.values);
  if (!parsed.success) throw new AppError('invalid_input', messageOfIssue(parsed.error.issues[0]!));
  // A tag that is half typed is no reason to show no preview.
  const language = schema.pick({ language: true }).safeParse(form.values);
  const { html } = await renderBody(app, parsed.data.body ?? '', language.data?.language);
  return apiData({ html });
});
