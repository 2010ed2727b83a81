import * as z from 'zod';
import { customIssue, say, saying } from '#app/platform/message.ts';
import { canonicalLanguage } from '#app/platform/text/languages.ts';
import { isStorable, line, requiredLine, text } from '#app/platform/text/schemas.ts';
import { nameKey, SLUG_MAX, toSlug } from '#app/platform/text/slug.ts';
import { readLocalTime } from '#app/platform/time/time-zone.ts';
import { splitTags } from './tag-names.ts';

// How a form sends each kind of post field (contract, section 4).

export const BODY_MAX_BYTES = 2 * 1024 * 1024;
export const TAGS_MAX = 50;
export const AUTHORS_MAX = 50;

export const postTypes = ['post', 'page'] as const;

export const titleLine = () => requiredLine(300, 'Title');

export const excerptText = () => text(1_000, 'Excerpt', (value) => value.trim());

export const bodyText = () =>
  text(Number.MAX_SAFE_INTEGER, 'Body').refine(
    (value) => new TextEncoder().encode(value).length <= BODY_MAX_BYTES,
    'Body is too long: at most 2 MB.',
  );

/** A line of text that belongs to the post alone. */
export const ownLine = (max: number, label: string) => () => line(max, label);

export const webAddress = (label: string) => () =>
  line(2_000, label).refine(
    (value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)),
    saying('A {label} begins with http:// or https://.', { label: say(label.toLowerCase()) }),
  );

/** The id of something that the form offers as a choice; empty: none. */
export const optionalId = (label: string) => () =>
  z
    .string()
    .trim()
    .refine(
      (value) => value.length <= 64 && isStorable(value),
      saying('Choose a {label} from the list.', { label: say(label) }),
    )
    .transform((value) => value || null);

/** The id of something that exists, or its address on this site; empty: none. */
export const addressOrId = (label: string) => () =>
  line(2_000, `The ${label}`).transform((value) => value || null);

export const tagNames = () =>
  text(5_000, 'Tags').transform((value, context) => {
    const names = new Map<string, string>();
    for (const name of splitTags(value)) {
      const slug = toSlug(name);
      if (slug === '')
        context.addIssue(customIssue(say('The tag “{name}” has no letter or digit.', { name })));
      else if ([...name].length > 100)
        context.addIssue({ code: 'custom', message: 'A tag has at most 100 characters.' });
      // Not by the slug: those of “C” and “C++” are the same, and a tag is found by its name first.
      else if (!names.has(nameKey(name))) names.set(nameKey(name), name);
    }
    if (names.size > TAGS_MAX)
      context.addIssue(customIssue(say('A post has at most {most} tags.', { most: TAGS_MAX })));
    return [...names.values()];
  });

export const checkbox = (label: string) => () =>
  line(10, label).refine(
    (value) => /^(yes)?$/.test(value),
    saying('{label}: enter “yes” or leave it blank.', { label: say(label) }),
  );

/** Where the cover's most important part is, in quarters of its width and height; blank: in the middle. */
export const coverFocus = () =>
  line(10, 'Focal point').refine(
    (value) => /^((0|25|50|75|100) (0|25|50|75|100))?$/.test(value),
    'Choose a focal point.',
  );

/** The shape that the cover is cut to on the post's own page; blank: uncut. */
export const coverCrop = () =>
  line(10, 'Shape of the cover').refine(
    (value) => /^(16x9|3x2|1x1)?$/.test(value),
    'Choose a shape from the list.',
  );

/** Blank: a post. */
export const postType = () =>
  z.enum([...postTypes, ''], 'A type is “post” or “page”.').transform((value) => value || 'post');

/** A language tag in its canonical spelling; blank: the site's language. */
export const languageTag = () =>
  line(100, 'Language').transform((value, context) => {
    const tag = value === '' ? '' : canonicalLanguage(value);
    if (tag !== null) return tag;
    context.addIssue({ code: 'custom', message: 'Language must be a language tag such as de or pt-BR.' });
    return z.NEVER;
  });

/** One username or guest's name per line. A repeated name counts once. */
export const authorNames = () =>
  text(10_000, 'Authors').transform((value, context) => {
    const names = value
      .split('\n')
      .map((name) => name.replace(/\s+/g, ' ').trim())
      .filter((name) => name !== '');
    if (names.some((name) => [...name].length > 200))
      context.addIssue({ code: 'custom', message: 'The name of an author has at most 200 characters.' });
    if (names.length > AUTHORS_MAX)
      context.addIssue(customIssue(say('A post has at most {most} authors.', { most: AUTHORS_MAX })));
    return [...new Set(names)];
  });

export const slugText = () =>
  text(10_000, 'Slug').transform((value, context) => {
    const result = toSlug(value);
    if (value.trim() !== '' && result === '')
      context.addIssue({ code: 'custom', message: 'A slug needs a letter or a digit.' });
    if ([...value.trim()].length > SLUG_MAX)
      context.addIssue(customIssue(say('Slug is too long: at most {max} characters.', { max: SLUG_MAX })));
    return result;
  });

export const localTime = (timeZone: string) =>
  z
    .string({ error: 'Enter a date and time.' })
    .trim()
    .transform((value, context) => {
      if (value === '') return null;
      const reading = readLocalTime(value, timeZone);
      if (reading.ok) return reading.instant;
      context.addIssue(
        customIssue(
          reading.reason === 'skipped'
            ? say('This time does not exist in {timeZone}: the clocks skip it. Choose another.', { timeZone })
            : 'Enter a date and time such as 2026-11-20T08:00.',
        ),
      );
      return z.NEVER;
    });
