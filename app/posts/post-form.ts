import { z } from 'zod';
import { isStorable, line, requiredLine, text } from '#app/platform/text.ts';
import { readLocalTime } from '#app/platform/time-zone.ts';
import type { PostFields } from './post-fields.ts';
import { SLUG_MAX, toSlug } from '#app/platform/slug.ts';
import { stateIntents } from './states.ts';

/** Everything that the post form can ask for. A script asks for `autosave`, a button for the others. */
export const postFormIntents = [...stateIntents, 'autosave', 'preview', 'delete'] as const;

/**
 * What the form of a published post can ask for as well: `prepare` keeps the fields as an update that is
 * applied at `changeAt`, `cancel-change` drops it.
 */
export const editFormIntents = [...postFormIntents, 'prepare', 'cancel-change'] as const;

const unknownIntent = 'This action is unknown. Use one of the buttons.';
const BODY_MAX_BYTES = 2 * 1024 * 1024;
const TAGS_MAX = 50;

const optionalId = (label: string) =>
  z
    .string()
    .trim()
    .max(64, `Choose a ${label} from the list.`)
    .refine(isStorable, `Choose a ${label} from the list.`)
    .transform((value) => value || null);

const tagNames = text(5_000, 'Tags').transform((value, context) => {
  const names = new Map<string, string>();
  for (const name of value.split(/[,，、\n]/).map((part) => part.trim())) {
    if (name === '') continue;
    const slug = toSlug(name);
    if (slug === '')
      context.addIssue({ code: 'custom', message: `The tag “${name}” has no letter or digit.` });
    else if ([...name].length > 100)
      context.addIssue({ code: 'custom', message: 'A tag has at most 100 characters.' });
    else if (!names.has(slug)) names.set(slug, name);
  }
  if (names.size > TAGS_MAX)
    context.addIssue({ code: 'custom', message: `A post has at most ${TAGS_MAX} tags.` });
  return [...names.values()];
});

const slug = text(10_000, 'Slug').transform((value, context) => {
  const result = toSlug(value);
  if (value.trim() !== '' && result === '')
    context.addIssue({ code: 'custom', message: 'A slug needs a letter or a digit.' });
  if ([...value.trim()].length > SLUG_MAX)
    context.addIssue({ code: 'custom', message: `Slug is too long: at most ${SLUG_MAX} characters.` });
  return result;
});

const webAddress = line(2_000, 'Canonical address').refine(
  (value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)),
  'A canonical address begins with http:// or https://.',
);

const localTime = (timeZone: string) =>
  z
    .string({ error: 'Enter a date and time.' })
    .trim()
    .transform((value, context) => {
      if (value === '') return null;
      const reading = readLocalTime(value, timeZone);
      if (reading.ok) return reading.instant;
      context.addIssue({
        code: 'custom',
        message:
          reading.reason === 'skipped'
            ? `This time does not exist in ${timeZone}: the clocks skip it. Choose another.`
            : 'Enter a date and time such as 2026-11-20T08:00.',
      });
      return z.NEVER;
    });

/** The fields of the post form (contract, section 4); an absent field is left as it is, an empty one is cleared. */
export function postFieldsSchema(timeZone: string) {
  return z.object({
    title: requiredLine(300, 'Title').optional(),
    slug: slug.optional(),
    excerpt: text(1_000, 'Excerpt')
      .transform((value) => value.trim())
      .optional(),
    body: text(Number.MAX_SAFE_INTEGER, 'Body')
      .refine((value) => byteLength(value) <= BODY_MAX_BYTES, 'Body is too long: at most 2 MB.')
      .optional(),
    categoryId: optionalId('category').optional(),
    tags: tagNames.optional(),
    publishedAt: localTime(timeZone).optional(),
    archiveAt: localTime(timeZone).optional(),
    coverMediaId: optionalId('cover image').optional(),
    coverAlt: line(1_000, 'Cover description').optional(),
    seoTitle: line(300, 'Search title').optional(),
    seoDescription: line(1_000, 'Search description').optional(),
    canonicalUrl: webAddress.optional(),
  } satisfies Record<keyof PostFields, z.ZodType>);
}

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
    takeOverSlug: z.enum(['yes', '']).optional(),
    // When the newest unsaved changes were typed that the form holds.
    autosavedAt: z.iso.datetime().transform(asDate).optional().catch(undefined),
    copy: z.enum(['use', 'drop'], 'Choose which text to take.').optional(),
  });
}

/** The form of a post that exists: as above, and a change of it can be prepared for a later time. */
export function editFormSchema(timeZone: string) {
  return postFormSchema(timeZone).extend({
    intent: z.enum(editFormIntents, unknownIntent).default('save'),
    changeAt: localTime(timeZone).optional(),
  });
}

function asDate(text: string): Date {
  return new Date(text);
}

function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}
