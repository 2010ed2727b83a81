import { inJson } from '#app/admin/json-answers.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/responses.ts';
import { postFieldsSchema } from '#app/posts/post-form.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';

/** The address has no page: only the live preview posts here. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/** The live preview: the text of the form as the server renders it, `{html}`. */
export const act = inJson(async ({ app, form, adminContext }) => {
  const schema = postFieldsSchema(adminContext.timeZone).pick({ body: true, language: true });
  const parsed = schema.safeParse(form.values);
  if (!parsed.success) throw new AppError('invalid_input', parsed.error.issues[0]!.message);
  const { html } = await renderBody(app, parsed.data.body ?? '', parsed.data.language);
  return apiData({ html });
});
