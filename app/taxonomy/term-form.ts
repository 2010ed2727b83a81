import * as z from 'zod';
import { requiredLine, text } from '#app/platform/text.ts';
import { pictureAddress } from '#app/platform/picture-address.ts';
import { SLUG_MAX, toSlug } from '#app/platform/slug.ts';

/** The form of a category or a tag; a blank slug is made from the name. */
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
    const result = toSlug(slug.trim() === '' ? name : slug);
    const issue = (message: string) =>
      context.addIssue({ code: 'custom', path: [slug.trim() === '' ? 'name' : 'slug'], message });
    if (result === '') issue('This needs a letter or a digit.');
    if ([...slug.trim()].length > SLUG_MAX) issue(`Slug is too long: at most ${SLUG_MAX} characters.`);
    return { name, slug: result, description, ...(picture !== undefined && { picture }) };
  });

export type TermFields = z.output<typeof termSchema>;
