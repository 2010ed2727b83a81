import * as z from 'zod';
import { roles } from '#app/people/roles.ts';
import { saying, customIssue, say } from '#app/platform/message.ts';
import {
  supportedLanguageList,
  supportedLanguages,
  type SupportedLanguage,
} from '#app/platform/text/languages.ts';
import { line, requiredLine, text, pictureAddress } from '#app/platform/text/schemas.ts';
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
const usernameSchema = requiredLine(100, 'Username').transform((value, context) => {
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

const role = z.enum(roles, 'Choose a role.');
const displayName = requiredLine(200, 'Display name');
const bio = text(2_000, 'About', (value) => value.trim());

const links = text(4_000, 'Links').transform((value, context) => {
  const addresses = value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = addresses.find(
    (address) => !/^https?:\/\/[^/\s]+\S*$/i.test(address) || !URL.canParse(address),
  );
  if (wrong)
    context.addIssue(
      customIssue(say('“{address}” is not an address that begins with https://.', { address: wrong })),
    );
  if (addresses.length > 10) context.addIssue({ code: 'custom', message: 'Enter at most 10 links.' });
  return addresses.join('\n');
});

/** A new account: with a password, or with an invitation to choose one. */
export const newUserSchema = z.object({
  email: emailSchema,
  displayName,
  username: usernameSchema,
  role,
});

/** The fields of an account that an administrator changes. */
export const userChangeSchema = z.object({ email: emailSchema, role });

/** The fields of a user's own profile, which readers see. An absent "About" is not changed. */
export const profileSchema = z.object({
  displayName,
  bio: bio.optional(),
  picture: pictureAddress('Picture').optional(),
  links: links.optional(),
});

/** The profile and the user's own language of the backend. An absent language is not changed; `''` follows the site. */
export const accountFormSchema = profileSchema.extend({
  language: z
    .custom<'' | SupportedLanguage>(
      (value) => value === '' || supportedLanguages.includes(value as SupportedLanguage),
      saying('Choose one of these languages: {languages}.', { languages: supportedLanguageList }),
    )
    .optional(),
});

/** A chosen password. */
export const newPasswordSchema = z.object({ password: passwordSchema });

export type NewUser = z.output<typeof newUserSchema>;
export type UserChange = z.output<typeof userChangeSchema>;
export type Profile = z.output<typeof profileSchema>;
export type AccountForm = z.output<typeof accountFormSchema>;
