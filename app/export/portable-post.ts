import { frontMatterFieldNames } from '#app/posts/fields/fields.ts';
import { pickFields } from '#app/posts/fields/values.ts';
import { encodeAlias, type ExportedAccount, type ExportedPost } from './post.ts';
import { withoutHtml } from './sidecar-files.ts';

/**
 * A post as JSON inside the file of another system. An import restores from it what the file has no field for.
 * `import/model/portable` reads it.
 */
export function toPortable(post: ExportedPost) {
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
  };
}

function accountOf({ displayName: name, username, bio, email }: ExportedAccount) {
  return { name, username, bio, email };
}
