import * as z from 'zod';
import { postFieldNames, postFields, type PostFieldName, type PostFields } from './fields.ts';
import { localTime, optionalId } from './schemas.ts';
import { editedTexts, stateIntents } from './states.ts';

/** The intents of the post form. A script sends `autosave`, buttons send the others. */
const postFormIntents = [...stateIntents, 'autosave', 'preview', 'delete'] as const;

/**
 * Further intents of the form of a published post: `prepare` stores the fields as an update that is applied at
 * `changeAt`, `cancel-change` drops it.
 */
export const editFormIntents = [...postFormIntents, 'prepare', 'cancel-change', 'send-test'] as const;

/** Which of two instants a local time means when a clock change repeats its hour. */
const occurrence = z.enum(['first', 'second', '']).optional().catch(undefined);

const unknownIntent = 'This action is unknown. Use one of the buttons.';

/** The fields of the post form (contract, section 4). An absent field stays unchanged; an empty one is cleared. */
export function postFieldsSchema(timeZone: string) {
  const shape = postFieldNames.map((name) => [name, postFields[name].form(timeZone).optional()]);
  return z.object(Object.fromEntries(shape) as FormShape);
}

type FormShape = { [Name in PostFieldName]: z.ZodOptional<z.ZodType<PostFields[Name], string>> };

/** The post form as a whole, with its button and what the editor had open. */
export function postFormSchema(timeZone: string) {
  return postFieldsSchema(timeZone).extend({
    intent: z.enum(postFormIntents, unknownIntent).default('save'),
    version: z
      .string()
      .trim()
      .regex(/^\d{1,9}$/, 'The form does not say which version you had open. Reload the page.')
      .transform(Number)
      .optional(),
    takeOverSlug: z.enum(['yes', ''], 'Enter “yes” to reuse the old address.').optional(),
    publishedAtOccurrence: occurrence,
    archiveAtOccurrence: occurrence,
    // When the newest unsaved changes in this form were typed.
    autosavedAt: z.iso.datetime().transform(asDate).optional().catch(undefined),
    // Digests of texts that the page has sent without an answer, one a line.
    sent: z.string().max(100_000).optional().catch(undefined),
    // The release that gets the fields instead of the live post, or that publishes a draft.
    releaseId: optionalId('release')().optional(),
    copy: z
      .enum(['use', 'drop', ''], 'Choose which text to use.')
      .transform((copy) => copy || undefined)
      .optional(),
  });
}

/** The form of an existing post: the fields above, and the time of a scheduled update. */
export function editFormSchema(timeZone: string) {
  return postFormSchema(timeZone).extend({
    intent: z.enum(editFormIntents, unknownIntent).default('save'),
    changeAt: localTime(timeZone).optional(),
    changeAtOccurrence: occurrence,
    // Who gets the mail of `send-test`.
    emailTo: z.string().trim().max(254).optional(),
    // Which text of a published post with a scheduled update the form has.
    edit: z.enum([...editedTexts, ''], 'Choose the live or the scheduled text.').optional(),
    // The text version that the form shows, for a save to a release. One that is too long counts as unknown, not as
    // none: a script sends none, and its save is not checked.
    releaseText: z
      .string()
      .transform((version) => (version.length > 2_000 ? '' : version))
      .optional(),
  });
}

function asDate(text: string): Date {
  return new Date(text);
}
