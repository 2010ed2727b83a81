import * as z from 'zod';
import type { PostForm } from '#app/admin/editor/model/form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/frame/screen.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { bodyText } from '#app/posts/fields/schemas.ts';
import { isChanged, joinPassages, takes, type Take } from '#app/posts/history/passages.ts';
import { savedMeanwhile } from '#app/publishing/post-row/row.server.ts';
import { passageField } from './passage-field.ts';
import type { EditorResult } from './result.ts';
import { conflictResult, readConflictOf, type RefusedForm } from './show.server.ts';

const take = z.enum(takes);

/** What the 409 page of a post sends besides the fields of the post. */
const choiceSchema = z.object({
  opened: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  openedText: z.string().max(2_000),
  typed: bodyText(),
  chosen: z
    .string()
    .max(1_000)
    .transform((text) => text.split(' '))
    .pipe(z.array(take)),
  combine: z.enum(['yes', '']).optional(),
});

/**
 * Gives the body of a conflict's form the chosen paragraphs, and keeps what was typed into it.
 * @returns the form; or the page again, for its button that only combines, and when a paragraph was both chosen and typed
 * @throws AppError `conflict` when somebody has saved once more: the choices were between other texts
 */
export async function choosePassages(
  args: ScreenArguments & { newCategory?: string },
  sent: Omit<RefusedForm, 'message'>,
): Promise<{ form: PostForm } | ActionResult<EditorResult>> {
  const { form, values } = sent;
  // Any other form of a post.
  if (values.chosen === undefined) return { form };
  const { opened, openedText, typed, chosen, combine } = parseForm(choiceSchema, values);
  const picked = chosen.map((before, number): Take => {
    const parsed = take.safeParse(values[passageField(number)]);
    return parsed.success ? parsed.data : before;
  });
  const isCombined = combine === 'yes';
  if (!isCombined && picked.join() === chosen.join()) return { form };
  const refused: RefusedForm = {
    ...sent,
    form: {
      ...form,
      version: opened,
      textVersion: form.textVersion === undefined ? undefined : openedText,
      fields: { ...form.fields, body: typed },
    },
    message: savedMeanwhile().message,
  };
  const found = await readConflictOf(args.app, refused);
  const { base, theirs, version } = found.conflict;
  const passages = await args.app.workers.comparePassages(base && base.body, typed, theirs.body);
  const isSameConflict =
    version === form.version &&
    (found.releaseText ?? openedText) === (form.textVersion ?? openedText) &&
    passages.filter(isChanged).length === chosen.length;
  if (!isSameConflict) throw savedMeanwhile();
  const [before, after] = [joinPassages(passages, chosen), joinPassages(passages, picked)];
  const { body = before } = form.fields;
  const combined = body === before ? after : await args.app.workers.mergeTexts(before, body, after);
  if (combined !== null && !isCombined)
    return { form: { ...form, fields: { ...form.fields, body: combined } } };
  return conflictResult(args, refused, found, {
    values: { ...values, body: combined ?? body },
    chosen: combined === null ? chosen : picked,
  });
}
