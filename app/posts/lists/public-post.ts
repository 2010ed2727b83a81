import type { Prisma } from '#app/platform/database/client.server.ts';
import { recordOf } from '#app/platform/narrow.ts';
import {
  articleFieldNames,
  type ArticleFieldName,
  type PostFields,
  pickFields,
} from '#app/posts/fields/fields.ts';
import type { Heading } from '#app/posts/markdown/decorate.ts';
import { excerptOf } from '#app/posts/markdown/excerpt.ts';
import { pictureColumns, publicImage, type PublicImage } from '#app/posts/pictures/public-image.ts';

export interface Named {
  slug: string;
  name: string;
}

export interface PublicAuthor {
  /** Null for a guest, who has no page of posts. */
  username: string | null;
  displayName: string;
  /** Read only for the post's own page. */
  bio?: string;
  picture?: PublicImage | null;
  /** One address a line. */
  links?: string;
}

/** A published post as lists show it. */
export interface PostSummary {
  id: string;
  slug: string;
  title: string;
  /** BCP 47; blank: the site's. */
  language: string;
  /** Plain text; the beginning of the body if the post has no excerpt. */
  excerpt: string;
  publishedAt: Date;
  wordCount: number;
  /** In order. */
  authors: PublicAuthor[];
  category: Named | null;
  cover: PublicImage | null;
  coverFocus: string;
}

/** The address of a text in one of its languages. */
export interface Translation {
  /** As rows store it: a post's slug, a page's path. */
  slug: string;
  /** Its public address. The page that is the home has `/`. */
  path: string;
  /** BCP 47; blank: the site's language. */
  language: string;
}

/** A post as its own page and the feeds show it. */
export interface PostArticle extends PostSummary, Pick<PostFields, ArticleFieldName> {
  /** The excerpt, unless the text begins with the same words. */
  standfirst: string;
  /** Sanitised. */
  bodyHtml: string;
  headings: Heading[];
  tags: Named[];
  categoryId: string | null;
  tagIds: string[];
  /** The id of the post in the feeds of the site that it was imported from; blank for a post of this site. */
  sourceGuid: string;
  /** The list that contains it, and from which its neighbours and related posts are taken. */
  listedIn: string;
  /** The same text in every language in which it is public, including this one; empty if there is no other. */
  translations: Translation[];
  /** The last change of what readers see; never before the publication. */
  updatedAt: Date;
}

/** A post's neighbour: enough for a link. */
export type PostLink = Pick<PostSummary, 'slug' | 'title' | 'language' | 'publishedAt'>;

/** A post with its picture, as sections of the home page and the end of another post show it. */
export type PostCard = PostLink & Pick<PostSummary, 'cover' | 'coverFocus'>;

const named = { select: { slug: true, name: true } } as const;
const person = { select: { username: true, displayName: true } } as const;

const selected = <Name extends string>(...names: Name[]) => recordOf(names, () => true as const);

/** The columns that a list reads of a post. */
export const summaryColumns = {
  ...selected('id', 'slug', 'title', 'language', 'excerpt', 'publishedAt', 'wordCount'),
  ...selected('coverAlt', 'coverDecorative', 'coverFocus'),
  author: person,
  authors: { select: { name: true, user: person }, orderBy: { position: 'asc' } },
  category: named,
  coverMedia: { select: pictureColumns },
} as const;

/** The further columns that an article reads. */
export const articleColumns = {
  ...summaryColumns,
  ...selected('bodyHtml', 'tableOfContents', ...articleFieldNames),
  ...selected('contentUpdatedAt', 'sourceGuid', 'categoryId', 'listedIn'),
  tags: { select: { tagId: true, tag: named }, orderBy: { position: 'asc' } },
} as const;

/** An author as a post's own page shows one. */
export const authorColumns = {
  select: { username: true, displayName: true, bio: true, picture: true, links: true },
} as const;

/** The fields in the post's own row. */
export const ownArticleFields = Object.entries(articleColumns).flatMap(([name, read]) =>
  read === true ? name : [],
) as OwnArticleField[];

/** The values of `ownArticleFields`. */
export type OwnArticleRow = Pick<ArticleRow, OwnArticleField>;

type OwnArticleField = {
  [Name in keyof typeof articleColumns]: (typeof articleColumns)[Name] extends true ? Name : never;
}[keyof typeof articleColumns];

export type SummaryRow = Prisma.PostGetPayload<{ select: typeof summaryColumns }>;
type ArticleRow = Prisma.PostGetPayload<{ select: typeof articleColumns }>;

/** A row as readers see it. `html`: the body, needed if the post has no excerpt. */
export function toSummary(row: SummaryRow, html = ''): PostSummary {
  const { coverMedia, coverAlt, coverDecorative, excerpt, publishedAt, author, authors, ...shown } = row;
  return {
    ...shown,
    authors: authorsOf(author, authors),
    excerpt: excerpt || excerptOf(html),
    // Only a preview of a draft has no publication time.
    publishedAt: publishedAt ?? new Date(0),
    cover: coverMedia && publicImage(coverMedia, coverDecorative === 'yes' ? '' : coverAlt),
  };
}

/** The authors that a post names, else the account that created it. */
function authorsOf(maker: SummaryRow['author'], named: SummaryRow['authors']): PublicAuthor[] {
  if (named.length === 0) return maker ? [maker] : [];
  return named.map(({ name, user }) => user ?? { username: null, displayName: name });
}

export function toArticle(row: ArticleRow, translations: Translation[] = []): PostArticle {
  const { tags, tableOfContents, contentUpdatedAt, ...rest } = row;
  const summary = toSummary(rest, row.bodyHtml);
  return {
    ...summary,
    standfirst: standfirstOf(row.excerpt, row.bodyHtml),
    bodyHtml: row.bodyHtml,
    ...pickFields(row, articleFieldNames),
    categoryId: row.categoryId,
    sourceGuid: row.sourceGuid,
    listedIn: row.listedIn,
    translations,
    headings: JSON.parse(tableOfContents) as Heading[],
    tags: tags.map(({ tag }) => tag),
    tagIds: tags.map(({ tagId }) => tagId),
    updatedAt: contentUpdatedAt > summary.publishedAt ? contentUpdatedAt : summary.publishedAt,
  };
}

/** The excerpt, unless the text begins with it: importers often use the first sentence as the excerpt. */
function standfirstOf(excerpt: string, html: string): string {
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
  const beginning = letters(excerpt).slice(0, 60);
  return beginning === '' || letters(excerptOf(html)).startsWith(beginning) ? '' : excerpt;
}
