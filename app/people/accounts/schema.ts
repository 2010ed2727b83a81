import * as z from 'zod';
import { saying } from '#app/platform/message.ts';
import { line, requiredLine, text } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';

const PASSWORD_MIN_CHARACTERS = 8;

// bcrypt uses only 72 bytes of a password and would silently ignore the rest.
const PASSWORD_MAX_BYTES = 72;

export const emailSchema = line(254, 'Email')
  .transform((value) => value.toLowerCase())
  .pipe(z.email('This is not an email address.'));

export const passwordSchema = text(10_000, 'Password')
  .refine(
    (value) => [...value].length >= PASSWORD_MIN_CHARACTERS,
    saying('Password is too short: at least {min} characters.', { min: PASSWORD_MIN_CHARACTERS }),
  )
  .refine(
    (value) => new TextEncoder().encode(value).length <= PASSWORD_MAX_BYTES,
    saying('Password is too long: at most {max} bytes.', { max: PASSWORD_MAX_BYTES }),
  );

/** A username is a slug, since it is in the author's address. */
export const usernameSchema = requiredLine(100, 'Username').transform((value, context) => {
  const slug = toSlug(value);
  if (slug === '') context.addIssue({ code: 'custom', message: 'A username needs a letter or a digit.' });
  return slug;
});

/** The four arguments of `admin:create`. */
export const accountSchema = z.object({
  email: emailSchema,
  username: usernameSchema,
  displayName: requiredLine(200, 'Display name'),
  password: passwordSchema,
});

export type NewAccount = z.output<typeof accountSchema>;
