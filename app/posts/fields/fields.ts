import * as z from 'zod';
import { keysOf, recordOf } from '#app/platform/narrow.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import {
  localTime,
  addressOrId,
  authorNames,
  bodyText,
  coverCrop,
  coverFocus,
  excerptText,
  languageTag,
  ownLine,
  optionalId,
  postType,
  postTypes,
  slugText,
  tagNames,
  checkbox,
  titleLine,
  webAddress,
} from './schemas.ts';
import { joinTags } from './tag-names.ts';

/** The texts of a search document that come from a post's own fields. */
export type SearchText = 'title' | 'excerpt' | 'body';

/** The definition of a post field; everything that reads or writes posts derives from it. */
interface PostField<Value> {
  /** The label of the field inside a sentence. */
  label: string;
  /** The value in a new post, and in revisions from before the field existed. */
  empty: Value;
  /** How a form sends the value. Times are local. */
  form: (timeZone: string) => z.ZodType<Value, string>;
  /** How a form shows the value. */
  toForm: (value: Value, timeZone: string) => string;
  /** How revisions and scheduled updates store the value. */
  stored: z.ZodType<Value>;
  /** How two values are compared for people: line by line, as added and removed items, or as a whole. */
  diff: 'text' | 'list' | 'value';
  /** The column in `posts` and in backups; null: the value is stored in another table. */
  column: { name: string; type: 'text' | 'time'; nullable?: true } | null;
  /**
   * The field's names in a Markdown file: the first one is written, all are read. Null: the importers have rules of
   * their own.
   */
  frontMatter: readonly [string, ...string[]] | null;
  /**
   * The text of the search document that contains the value. Null: none does, or the document has the names of other
   * tables (category, tags, authors).
   */
  search: SearchText | null;
  /** True: the post's own page reads the column unchanged (`PostArticle`). */
  onArticle?: true;
  /** True: no public page or feed depends on the value. */
  unseen?: true;
}

/** In no Markdown file under a fixed name, and not searched. */
const apart = { frontMatter: null, search: null } as const;
/** A field that holds text. */
const text = {
  empty: '',
  toForm: (value: string) => value,
  stored: z.string(),
  diff: 'text',
  ...apart,
} as const;
/** A field that holds a choice or a code: compared as a whole. */
const choice = { ...text, diff: 'value' } as const;
/** A field that holds names, in order, in another table. */
const list = {
  empty: [] as string[],
  stored: z.array(z.string()),
  diff: 'list',
  column: null,
  ...apart,
} as const;
/** A field that names another row, or none. */
const reference = {
  empty: null as string | null,
  toForm: (value: string | null) => value ?? '',
  stored: z.string().nullable(),
  diff: 'value',
  ...apart,
} as const;
/** A field that holds an instant, or none. */
const time = {
  empty: null as Date | null,
  form: localTime,
  toForm: (value: Date | null, timeZone: string) => (value ? toLocalTime(value, timeZone) : ''),
  stored: z.coerce.date().nullable(),
  diff: 'value',
  ...apart,
} as const;

/** A column that always holds a text. */
const column = <Name extends string>(name: Name) => ({ name, type: 'text' }) as const;
/** A column that may be empty. */
const nullable = <Name extends string>(name: Name, type: 'text' | 'time') =>
  ({ name, type, nullable: true }) as const;

/** What a post is: one of the site's posts, or a page of its own. */
type PostType = (typeof postTypes)[number];

/** Every field of a post that an editor can change, in the order of the form. All other lists derive from it. */
export const postFields = {
  title: { ...text, label: 'title', form: titleLine, column: column('title'), search: 'title' },
  slug: { ...text, label: 'slug', form: slugText, column: column('slug') },
  excerpt: { ...text, label: 'excerpt', form: excerptText, column: column('excerpt'), search: 'excerpt' },
  /** Markdown, verbatim. */
  body: { ...text, label: 'text', form: bodyText, column: column('body'), search: 'body' },
  categoryId: {
    ...reference,
    label: 'category',
    form: optionalId('category'),
    column: nullable('category_id', 'text'),
  },
  /** Names of the tags, in order. */
  tags: { ...list, label: 'tags', form: tagNames, toForm: joinTags },
  publishedAt: { ...time, label: 'publication time', column: nullable('published_at', 'time') },
  archiveAt: { ...time, label: 'archive time', column: nullable('archive_at', 'time'), unseen: true },
  coverMediaId: {
    ...reference,
    label: 'cover image',
    form: optionalId('cover image'),
    column: nullable('cover_media_id', 'text'),
  },
  coverAlt: {
    ...text,
    label: 'cover description',
    form: ownLine(1_000, 'Cover description'),
    column: column('cover_alt'),
    frontMatter: ['cover_alt', 'coverAlt'],
  },
  /** `yes`: the cover is decorative and needs no description. */
  coverDecorative: {
    ...choice,
    label: 'decorative cover',
    form: checkbox('Decorative cover'),
    column: column('cover_decorative'),
    frontMatter: ['cover_decorative', 'coverDecorative'],
  },
  coverFocus: {
    ...choice,
    label: 'focal point of the cover',
    form: coverFocus,
    column: column('cover_focus'),
    frontMatter: ['cover_focus', 'coverFocus'],
  },
  coverCrop: {
    ...choice,
    label: 'shape of the cover',
    form: coverCrop,
    column: column('cover_crop'),
    frontMatter: ['cover_crop', 'coverCrop'],
    onArticle: true,
  },
  seoTitle: {
    ...text,
    label: 'search title',
    form: ownLine(300, 'Search title'),
    column: column('seo_title'),
    frontMatter: ['seo_title', 'seoTitle'],
    onArticle: true,
  },
  seoDescription: {
    ...text,
    label: 'search description',
    form: ownLine(1_000, 'Search description'),
    column: column('seo_description'),
    frontMatter: ['seo_description', 'seoDescription'],
    onArticle: true,
  },
  canonicalUrl: {
    ...text,
    label: 'canonical address',
    form: webAddress('Canonical address'),
    column: column('canonical_url'),
    frontMatter: ['canonical_url', 'canonicalUrl'],
    onArticle: true,
  },
  /** A page has its own path, below its parent's, and is in no list of posts. */
  type: {
    ...choice,
    label: 'type',
    empty: 'post' as PostType,
    form: postType,
    toForm: (value: PostType) => value,
    stored: z.enum(postTypes),
    column: column('type'),
  },
  /** The parent of a page. */
  parentId: {
    ...reference,
    label: 'parent page',
    form: optionalId('parent page'),
    column: nullable('parent_id', 'text'),
  },
  /** BCP 47; empty: the site's language. */
  language: { ...choice, label: 'language', form: languageTag, column: column('language'), onArticle: true },
  /** `yes`: new posts can begin as a copy of this one. */
  template: {
    ...choice,
    label: 'template',
    form: checkbox('Template'),
    column: column('template'),
    unseen: true,
  },
  /** The id of the post that this one translates. */
  translationOf: {
    ...reference,
    label: 'translation',
    form: addressOrId('translated post'),
    column: nullable('translation_of', 'text'),
    onArticle: true,
  },
  /** `yes`: the first publication is sent to the newsletter's subscribers. */
  sendByEmail: {
    ...choice,
    label: 'newsletter',
    form: checkbox('Newsletter'),
    column: column('send_by_email'),
    unseen: true,
  },
  emailSubject: {
    ...text,
    label: 'email subject',
    form: ownLine(300, 'Email subject'),
    column: column('email_subject'),
    unseen: true,
  },
  emailPreview: {
    ...text,
    label: 'email preview text',
    form: ownLine(300, 'Email preview text'),
    column: column('email_preview'),
    unseen: true,
  },
  /** Usernames, and names of guests, in order; empty: the person who created the post. */
  authors: { ...list, label: 'authors', form: authorNames, toForm: (names: string[]) => names.join('\n') },
  // `any`: each entry has its own type of value, which its own parts agree on.
  // oxlint-disable-next-line typescript/no-explicit-any
} as const satisfies Record<string, PostField<any>>;

type Catalogue = typeof postFields;
export type PostFieldName = keyof Catalogue;

/** What an editor can change of a post. A revision holds all fields, a scheduled update those that it changes. */
export type PostFields = { -readonly [Name in PostFieldName]: z.output<Catalogue[Name]['stored']> };

/** The names of the fields of one kind of difference. */
export type FieldNameByDiff<Kind extends PostField<unknown>['diff']> = {
  [Name in PostFieldName]: Catalogue[Name]['diff'] extends Kind ? Name : never;
}[PostFieldName];

/** Fields with a column of their own in `posts`; the row has them under the same names. */
export type ColumnFieldName = {
  [Name in PostFieldName]: Catalogue[Name]['column'] extends null ? never : Name;
}[PostFieldName];

/** Text fields that the front matter of Markdown files holds unchanged. */
export type FrontMatterFieldName = {
  [Name in PostFieldName]: Catalogue[Name]['frontMatter'] extends null ? never : Name;
}[PostFieldName];

/** Fields that a post's own page reads unchanged. */
export type ArticleFieldName = {
  [Name in PostFieldName]: Catalogue[Name] extends { onArticle: true } ? Name : never;
}[PostFieldName];

export const postFieldNames = keysOf(postFields);
export const columnFieldNames = postFieldNames.filter(
  (name): name is ColumnFieldName => postFields[name].column !== null,
);
export const frontMatterFieldNames = postFieldNames.filter(
  (name): name is FrontMatterFieldName => postFields[name].frontMatter !== null,
);

export const articleFieldNames = postFieldNames.filter(
  (name): name is ArticleFieldName => 'onArticle' in postFields[name],
);

/** An object with a value for each of these fields. */
export function mapFields<Name extends PostFieldName, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return recordOf(names, valueOf);
}

/** Copies these fields of an object that has them under the same names. */
export function pickFields<Name extends PostFieldName, Source extends Record<Name, unknown>>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  return mapFields(names, (name) => source[name]) as Pick<Source, Name>;
}

/** The fields of a post that does not exist yet. */
export const emptyPostFields = mapFields(postFieldNames, (name) => postFields[name].empty) as PostFields;

/** What the editor shows in each field: texts as a form has them. */
export function formValues(fields: PostFields, timeZone: string): Record<PostFieldName, string> {
  return mapFields(postFieldNames, (name) => {
    const { toForm } = postFields[name] as PostField<PostFields[typeof name]>;
    return toForm(fields[name], timeZone);
  });
}
