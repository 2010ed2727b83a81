import { readForm } from '#app/admin/read-form.server.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/responses.ts';
import { renderMarkdown } from '#app/posts/markdown.server.ts';
import { postFieldsSchema } from '#app/posts/post-form.ts';

/** Nothing to look at: the live preview posts here. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/** The live preview: the text of the form as the server renders it, `{html}`. */
export async function act({ request, frame }: ScreenArguments): Promise<Response> {
  const { body } = await readForm(request);
  const parsed = postFieldsSchema(frame.timeZone).pick({ body: true }).safeParse({ body });
  if (!parsed.success) throw new AppError('invalid_input', parsed.error.issues[0]!.message);
  const { html } = await renderMarkdown(parsed.data.body ?? '');
  return apiData({ html });
}
