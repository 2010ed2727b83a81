import * as z from 'zod';
import { shorten } from '#app/export/excerpt-of.ts';
import type { toPortable } from '#app/export/post.ts';
import { emailSchema } from '#app/people/accounts/schema.ts';
import { isAppError } from '#app/platform/errors.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import { requiredLine, line, text, isStorable } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { frontMatterFieldNames, postFields, mapFields } from '#app/posts/fields/fields.ts';
import {
  AUTHORS_MAX,
  bodyText,
  languageTag,
  postTypes,
  TAGS_MAX,
  titleLine,
} from '#app/posts/fields/schemas.ts';
import { postStatuses } from '#app/posts/fields/states.ts';

/** An entry of a menu of the old site, and its target. */
export interface SourceMenuEntry {
  /** Blank: the target's title. */
  label: string;
  /** `key`: an item of the source; `address`: as it was written, used if this site has no such item. */
  target:
    | { key: string; address?: string }
    | { term: 'category' | 'tag'; slug: string }
    | { address: string };
  children: SourceMenuEntry[];
}

export interface SourceMenu {
  name: string;
  entries: SourceMenuEntry[];
}

/** The parts of a source's site around its posts. */
export interface SiteParts {
  /** Of the old site, without a slash at the end; `''`: unknown. */
  siteUrl: string;
  menus: SourceMenu[];
  /** Keys of the pinned posts, the newest first. */
  pinned: string[];
}

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
      /** The slug is made from the name, so the name says which term it is. */
      isByName: value.slug === '',
    }))
    .refine(({ slug }) => slug !== '', `${label} has no letter or digit.`);

/** A username for a name, cut to the limit of the form. */
function usernameOf(name: string): string {
  return cutText(toSlug(name), 100).replace(/-+$/, '');
}

const COMMENTS_MAX = 5_000;

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
  .transform((author) => ({
    ...author,
    /** The source has usernames, so two authors with one name can be told apart. */
    hasUsername: author.username !== '',
  }))
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

const TEXT_MAX = 50_000;
const NAME_MAX = 200;

/** A public comment as an export has it. */
interface DatedComment {
  /** Unique within its post. Numbers are in the order of writing. */
  id: string;
  /** The id of the comment that it answers; `''` without one. */
  answers: string;
  /** Plain text. */
  author: string;
  html: string;
  writtenAt: Date;
}

/**
 * The comments of a post in their order, each after the one that it answers.
 * @param toMarkdown converts the source's HTML
 * @param warnings gets one when the post has too many
 */
export function orderComments(
  comments: DatedComment[],
  toMarkdown: (html: string) => string,
  warnings: string[],
): SourceComment[] {
  if (comments.length > COMMENTS_MAX)
    warnings.push(`A post has at most 5,000 comments: ${comments.length - COMMENTS_MAX} left out.`);
  const ordered = comments
    .sort((a, b) => a.writtenAt.getTime() - b.writtenAt.getTime() || Number(a.id) - Number(b.id) || 0)
    .slice(0, COMMENTS_MAX);
  const positions = new Map(ordered.map(({ id }, position) => [id, position]));
  return ordered.map(({ author, html, answers, writtenAt }, position) => {
    const answered = positions.get(answers);
    return {
      parent: answered !== undefined && answered < position ? answered : null,
      name: shorten(author, NAME_MAX),
      text: toMarkdown(withPictureLinks(shorten(html, TEXT_MAX))),
      writtenAt,
    };
  });
}

// A picture in a comment becomes a link: readers would load it from another site.
function withPictureLinks(html: string): string {
  return html.replace(/<img[^<>]{0,1000}?\ssrc\s*=\s*["']([^"'<>]+)["'][^<>]*>/gi, '<a href="$1">$1</a>');
}

/** An address of a source's post as its canonical one; blank, with a warning, for what is no address. */
export function canonicalOf(address: string, warnings: string[]): string {
  if (address === '' || (/^https?:\/\//i.test(address) && URL.canParse(address))) return address;
  warnings.push(`The canonical address ${address} is not one and was left out.`);
  return '';
}

const timeText = z.iso.datetime().transform((value) => new Date(value));
const portable = z.looseObject({
  body: z.string(),
  slug: z.string(),
  status: z.string(),
  cover: z.string().nullable(),
  publishedAt: timeText.nullable(),
  archiveAt: timeText.nullable(),
  updatedAt: timeText.nullable(),
  comments: z.array(z.looseObject({ writtenAt: timeText })).default([]),
  aliases: z.array(z.string()),
  tags: z.array(z.looseObject({ name: z.string() })),
});

// `toPortable` writes each field of a post, and no other: else `Pick` is an error.
type PortablePost = Pick<SourcePost, keyof ReturnType<typeof toPortable>>;

/**
 * The post that `toPortable` wrote; null for anything else. Checks only what it converts, as the import
 * validates every source's posts with `sourcePostSchema`.
 */
export function readPortable(value: unknown): PortablePost | null {
  return (
    portable
      .transform((post): unknown => post)
      .pipe(z.custom<PortablePost>())
      .safeParse(value).data ?? null
  );
}

/**
 * Why one item of a source is skipped while the import goes on.
 * @throws the error if it says nothing about the item, such as that of a disk or a database
 */
export function reasonToSkip(error: unknown): string {
  if (isAppError(error)) return error.message;
  // Parsers and writers of trees recurse, so nesting beyond the stack is an error of the item.
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'It is nested too deeply.';
  throw error;
}
