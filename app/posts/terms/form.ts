import * as z from 'zod';
import { pictureAddress, requiredLine, text } from '#app/platform/text/schemas.ts';
import { customIssue, say, type Message } from '#app/platform/message.ts';
import { SLUG_MAX, toSlug } from '#app/platform/text/slug.ts';

/** The form of a category or a tag. A blank slug is made from the name when the term is saved. */
export const termSchema = z
  .object({
    name: requiredLine(100, 'Name'),
    slug: text(10_000, 'Slug').default(''),
    description: text(2_000, 'Description')
      .transform((value) => value.trim())
      .default(''),
    /** Absent: unchanged. */
    picture: pictureAddress('Picture').optional(),
  })
  .transform(({ name, slug, description, picture }, context) => {
    const isBlank = slug.trim() === '';
    const result = toSlug(slug);
    const issue = (message: Message) =>
      context.addIssue({ ...customIssue(message), path: [isBlank ? 'name' : 'slug'] });
    if ((isBlank ? toSlug(name) : result) === '') issue('This needs a letter or a digit.');
    if ([...slug.trim()].length > SLUG_MAX)
      issue(say('Slug is too long: at most {max} characters.', { max: SLUG_MAX }));
    return { name, slug: result, description, ...(picture !== undefined && { picture }) };
  });

export type TermFields = z.output<typeof termSchema>;
