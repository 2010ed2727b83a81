import * as z from 'zod';
import type { SourcePost } from '#app/import/model/post.ts';
import { frontMatterFieldNames } from '#app/posts/fields/fields.ts';
import { pickFields } from '#app/posts/fields/values.ts';
import { encodeAlias, type ExportedAccount, type ExportedPost } from './post.ts';
import { withoutHtml } from './sidecar-files.ts';

const time = z.iso.datetime().transform((value) => new Date(value));
const portable = z.looseObject({
  body: z.string(),
  slug: z.string(),
  status: z.string(),
  cover: z.string().nullable(),
  publishedAt: time.nullable(),
  archiveAt: time.nullable(),
  updatedAt: time.nullable(),
  comments: z.array(z.looseObject({ writtenAt: time })).default([]),
  aliases: z.array(z.string()),
  tags: z.array(z.looseObject({ name: z.string() })),
});

/**
 * A post as JSON inside the file of another system. An import restores from it what the file has no field for.
 * `readPortable` reads it.
 */
export function toPortable(post: ExportedPost): object {
  const { author } = post;
  return {
    title: post.title,
    slug: post.slug,
    body: post.body,
    excerpt: post.excerpt,
    status: post.status,
    publishedAt: post.publishedAt,
    archiveAt: post.archiveAt,
    updatedAt: post.contentUpdatedAt,
    category: post.category,
    tags: post.tags,
    author: author && accountOf(author),
    cover: post.cover,
    type: post.type,
    parent: post.parent,
    language: post.language,
    translationOf: post.translationOf,
    authors: post.authors,
    accounts: post.accounts.map(accountOf),
    ...pickFields(post, frontMatterFieldNames),
    aliases: [...post.redirects].sort().map(encodeAlias),
    guid: post.guid,
    comments: post.comments.map(withoutHtml),
  } satisfies Record<keyof SourcePost, unknown>;
}

function accountOf({ displayName: name, username, bio, email }: ExportedAccount) {
  return { name, username, bio, email };
}

/**
 * The post that `toPortable` wrote; null for anything else. Checks only what it converts, hence the cast: the import
 * validates every source's posts with `sourcePostSchema`.
 */
export function readPortable(value: unknown): SourcePost | null {
  const parsed = portable.safeParse(value);
  return parsed.success ? (parsed.data as unknown as SourcePost) : null;
}
