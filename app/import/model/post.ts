import * as z from 'zod';
import { emailSchema } from '#app/people/accounts/schema.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import { requiredLine, line, text, isStorable } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { frontMatterFieldNames, postFields } from '#app/posts/fields/fields.ts';
import {
  AUTHORS_MAX,
  bodyText,
  languageTag,
  postTypes,
  TAGS_MAX,
  titleLine,
} from '#app/posts/fields/schemas.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { mapFields } from '#app/posts/fields/values.ts';
import type { SiteParts } from './site-parts.ts';

/** A file of the source that a post names. */
export interface MediaReference {
  /** As it is in the body. */
  address: string;
  /** Absolute path on this machine. */
  file: string;
}

const address = z
  .string()
  .refine((path) => isStorable(path) && path.length <= 2_000, 'An old address cannot be stored.');

// What both databases and a backup can hold.
const time = z
  .date()
  .min(new Date('0001-01-01T00:00:00.000Z'), 'A date lies before the year 1.')
  .max(new Date('9999-12-31T23:59:59.999Z'), 'A date lies after the year 9999.');

/** A category or a tag. */
const term = (label: string) =>
  z
    .object({
      name: requiredLine(100, label),
      /** The term's identity on this site; blank: the name is. */
      slug: text(2_000, label).transform(toSlug).default(''),
      /** Old addresses: paths, decoded, with a leading slash. */
      aliases: z.array(address).default([]),
      /** Used for a new term, and for one without a description. */
      description: text(2_000, label).catch('').default(''),
    })
    .transform((value) => ({
      ...value,
      slug: value.slug || toSlug(value.name),
      isByName: value.slug === '',
    }))
    .refine(({ slug }) => slug !== '', `${label} has no letter or digit.`);

/** A username for a name, cut to the limit of the form. */
function usernameOf(name: string): string {
  return cutText(toSlug(name), 100).replace(/-+$/, '');
}

export const COMMENTS_MAX = 5_000;

/** Texts of the post alone, with the rules of the post form; blank if the source has none. */
const ownTexts = mapFields(frontMatterFieldNames, (name) => postFields[name].form().default(''));

/** A reader's comment; comments are in the order in which they are shown. */
const comment = z.object({
  /** The index of an earlier comment that this one answers; null: none. */
  parent: z.number().int().min(0).nullable(),
  name: line(200, 'Name').catch('').default(''),
  /** Markdown. */
  text: text(100_000, 'Comment'),
  writtenAt: time,
});

/** Somebody who has an account, or gets one here. */
const author = z
  .object({
    name: requiredLine(200, 'Author'),
    /** The account's identity on this site; blank: made from the name. */
    username: line(200, 'Author').transform(usernameOf).default(''),
    /** Blank: unknown. */
    email: z.literal('').or(emailSchema).catch('').default(''),
    /** Used for a new account, and for one without a biography. */
    bio: text(2_000, 'Biography').catch('').default(''),
  })
  .transform((author) => ({ ...author, hasUsername: author.username !== '' }))
  .transform((author) => ({ ...author, username: author.username || usernameOf(author.name) }))
  .refine(({ username }) => username !== '', 'Author has no letter or digit.');

/** A post as every importer returns it: Markdown, instants, names. Parsed by this schema before anything is planned. */
export const sourcePostSchema = z.object({
  title: titleLine(),
  /** The requested slug; the plan chooses a free one. Without a letter or digit: `post` or `page`. */
  slug: text(2_000, 'Slug'),
  body: bodyText(),
  excerpt: text(1_000, 'Excerpt'),
  status: z.enum(postStatuses),
  publishedAt: time.nullable(),
  archiveAt: time.nullable(),
  updatedAt: time.nullable(),
  category: term('Category').nullable(),
  tags: z.array(term('Tag')).max(TAGS_MAX),
  author: author.nullable(),
  cover: z.string().nullable(),
  type: z.enum(postTypes).default('post'),
  /** The path of a page's parent on this site; blank: none. */
  parent: line(2_000, 'Parent').default(''),
  /** BCP 47; blank: the site's. */
  language: languageTag().catch('').default(''),
  /** The path of the translated post on this site; blank: none. */
  translationOf: line(2_000, 'Translated post').default(''),
  /** Usernames on this site or names of guests, in order; empty: `author` alone. */
  authors: z.array(requiredLine(200, 'Author')).max(AUTHORS_MAX).default([]),
  /** Those of `authors` who had accounts at the source. */
  accounts: z.array(author).max(AUTHORS_MAX).default([]),
  ...ownTexts,
  /** Old addresses: paths, decoded, with a leading slash. */
  aliases: z.array(address),
  /** The guid in the old site's feeds, so that feed readers do not show the post as new. Blank: unknown. */
  guid: line(1_000, 'Guid').catch('').default(''),
  comments: z.array(comment).max(COMMENTS_MAX).default([]),
});

/** A post as a source gives it; see the schema. `cover` is an absolute file path. */
export type SourcePost = z.input<typeof sourcePostSchema>;
export type SourceComment = z.input<typeof comment>;
export type SourceTerm = z.input<ReturnType<typeof term>>;
/** A post that the schema has parsed: with all slugs. */
export type ValidPost = z.output<typeof sourcePostSchema>;

/** An item of a source that may become a post. */
export interface SourceItem {
  /** Its identity at the source: the path below the folder, or an id. */
  key: string;
  /** Changes when anything of it changes. */
  hash: string;
  /** The hash of earlier versions. */
  formerHash?: string;
  post: SourcePost;
  /** The source is cut off where its tags and authors are: a post that an earlier run wrote stays. */
  isPartial?: boolean;
  media: MediaReference[];
  /** Warnings about what the importer could not convert. */
  warnings: string[];
}

/** An item whose post the schema has parsed. */
export type ValidItem = SourceItem & { post: ValidPost };

/** An item that cannot become a post, with the reason. */
export interface UnreadableItem {
  key: string;
  reason: string;
}

/** Something that is left out by rule, such as a stylesheet or a menu. */
export interface IgnoredItem {
  key: string;
  /** `kind` is the ending of a file or the kind of an item; `count` is more than 1 for a folder. */
  ignored: { kind: string; count?: number; reason: string };
}

/** A file of the old library that no post names. It is imported too. */
export interface SourceFile {
  key: string;
  /** Absolute path on this machine. */
  file: string;
}

export type SourceEntry = SourceItem | SourceFile | UnreadableItem | IgnoredItem;

/** A source returns one entry after the other, so that the whole source is never in memory. */
export interface ContentSource {
  items(): AsyncIterable<SourceEntry>;
  /** The generator that a folder of Markdown files is written for. */
  dialect?: string;
  /** The menus and pinned posts of its site; known when `items` has ended. */
  siteParts?(): SiteParts | undefined;
  /** The progress of reading. */
  progress(): { done: number; total: number };
  /** Warnings about the source as a whole; known when `items` has ended. */
  notes?(): string[];
  /**
   * True when the source ends too early, so that an unknown number of items is missing; known when `items` has ended.
   */
  isTruncated?(): boolean;
  /** True when it ends inside an item, which is then skipped; known when `items` has ended. */
  endsInItem?(): boolean;
  /** Ends reading, also before the end of `items`. */
  close?(): Promise<void>;
}

/** The tags that a post may have, and a warning that names the others. */
export function withinTagLimit({
  post: { tags },
  warnings,
}: SourceItem): Pick<SourceItem, 'warnings'> & Pick<SourceItem['post'], 'tags'> {
  const leftOut = tags.slice(TAGS_MAX).map(({ name }) => name);
  if (leftOut.length === 0) return { tags, warnings };
  const named = `${leftOut.slice(0, 10).join(', ')}${leftOut.length > 10 ? ', …' : ''}`;
  return {
    tags: tags.slice(0, TAGS_MAX),
    warnings: [...warnings, `A post has at most ${TAGS_MAX} tags. ${leftOut.length} left out: ${named}.`],
  };
}
