import { createHash } from 'node:crypto';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { excerptOf } from '#app/posts/markdown/excerpt.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { postPath } from '#app/posts/paths.ts';
import type { PostListing } from './changed-keys.ts';

/** The columns from which a sitemap row is derived. */
export const sitemapSource = {
  id: true,
  slug: true,
  title: true,
  excerpt: true,
  publishedAt: true,
  wordCount: true,
  coverAlt: true,
  coverDecorative: true,
  coverFocus: true,
  coverMediaId: true,
  authorId: true,
  authors: { select: { userId: true, name: true }, orderBy: { position: 'asc' } },
  listedIn: true,
  language: true,
  translationOf: true,
  categoryId: true,
  contentUpdatedAt: true,
  tags: { select: { tagId: true }, orderBy: { tagId: 'asc' } },
} satisfies Prisma.PostSelect;

export type SitemapPost = Prisma.PostGetPayload<{ select: typeof sitemapSource }>;

/**
 * What other pages show of a post.
 * @param html needed if the post has no excerpt: lists then show the beginning of the text
 * @param options.isEpisode absent if the text was not read
 */
export function listingOf(
  post: SitemapPost,
  html: string | undefined,
  { isEpisode }: { isEpisode?: boolean } = {},
): PostListing {
  const { slug, title, excerpt, wordCount, coverMediaId, categoryId, tags, listedIn } = post;
  const cover = [post.coverAlt, post.coverDecorative, post.coverFocus, coverMediaId];
  const publishedAt = (post.publishedAt ?? new Date(0)).toISOString();
  const { authorId, authors } = post;
  const minutes = readingMinutes(wordCount);
  const listed = [slug, title, publishedAt, minutes, ...cover, authorId, categoryId, authors];
  const isKnown = excerpt !== '' || html !== undefined;
  const teaser = isKnown ? hashOf([...listed, excerpt || excerptOf(html ?? '')]) : '';
  return {
    path: postPath(slug),
    listedIn,
    language: post.language,
    translationOf: post.translationOf,
    publishedAt,
    authorIds: authorIdsOf(post),
    categoryId,
    tagIds: tags.map(({ tagId }) => tagId),
    teaser,
    isEpisode,
  };
}

/** The accounts of a post's authors: those that it names, else the one that created it. */
function authorIdsOf({ authorId, authors }: SitemapPost): string[] {
  const ids = authors.length > 0 ? authors.map(({ userId }) => userId) : [authorId];
  return [...new Set(ids.filter((id) => id !== null))].sort();
}

function hashOf(values: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16);
}

/**
 * Reads the column `shown`. Entries of older versions, without the column or without some of its fields, are unknown.
 */
export function readListing(shown: string): PostListing | 'unknown' {
  const read = shown === '' ? null : (JSON.parse(shown) as PostListing);
  return read && 'translationOf' in read ? read : 'unknown';
}
