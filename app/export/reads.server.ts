import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Clocked, Configured } from '#app/platform/services.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { ownSlug, postPath } from '#app/posts/paths.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { ExportedSite } from './post.ts';

export type PostToExport = Awaited<ReturnType<typeof readPostsAfter>>[number];

/**
 * The next posts by id with everything that an export contains of them. Runs one query after the other: in a
 * transaction PostgreSQL's client runs one at a time.
 */
export async function readPostsAfter(tx: Transaction, afterId: string, take: number) {
  const posts = await tx.post.findMany({
    where: { id: { gt: afterId }, ...notTrashed },
    orderBy: { id: 'asc' },
    take,
    omit: { tableOfContents: true },
  });
  const postId = { in: posts.map(({ id }) => id) };
  const all = <Id>(ids: (Id | null)[]) => ({ id: { in: ids.filter((id) => id !== null) } });
  const categories = await tx.category.findMany({ where: all(posts.map((post) => post.categoryId)) });
  const authors = await tx.user.findMany({
    where: all(posts.map((post) => post.authorId)),
    select: authorColumns,
  });
  const covers = await tx.media.findMany({ where: all(posts.map((post) => post.coverMediaId)) });
  const redirects = await tx.redirect.findMany({ where: { postId }, select: { path: true, postId: true } });
  const links = await tx.postTag.findMany({ where: { postId }, orderBy: { position: 'asc' } });
  const tags = await tx.tag.findMany({ where: all(links.map(({ tagId }) => tagId)) });
  const comments = await tx.comment.findMany({ where: { postId }, orderBy: { position: 'asc' } });
  const byline = await tx.postAuthor.findMany({
    where: { postId },
    orderBy: { position: 'asc' },
    select: { postId: true, name: true, user: { select: authorColumns } },
  });
  const related = await tx.post.findMany({
    where: all(posts.flatMap((post) => [post.parentId, post.translationOf])),
    select: { id: true, slug: true },
  });
  const pathOf = (id: string | null) => {
    const relatedPost = related.find((candidate) => candidate.id === id);
    return relatedPost ? postPath(relatedPost.slug) : '';
  };
  const positions = new Map(comments.map(({ id, position }) => [id, position]));
  return posts.map((post) => ({
    ...post,
    category: categories.find(({ id }) => id === post.categoryId) ?? null,
    author: withRealEmail(authors.find(({ id }) => id === post.authorId) ?? null),
    parent: pathOf(post.parentId),
    translationOf: pathOf(post.translationOf),
    authors: byline
      .filter((one) => one.postId === post.id)
      .map(({ name, user }) => user?.username ?? name)
      .filter((name) => name !== ''),
    accounts: byline.flatMap(({ postId: id, user }) => (user && id === post.id ? [withRealEmail(user)] : [])),
    comments: comments
      .filter((comment) => comment.postId === post.id)
      .map(({ parentId, name, text, html, writtenAt }) => {
        const parent = parentId === null ? null : (positions.get(parentId) ?? null);
        return { parent, name, text, html, writtenAt };
      }),
    coverPath: covers.find(({ id }) => id === post.coverMediaId)?.path ?? null,
    redirects: [
      ...redirects.filter((redirect) => redirect.postId === post.id).map(({ path }) => path),
      ...orphanPath(post, pathOf(post.parentId)),
    ],
    tags: links
      .filter((link) => link.postId === post.id)
      .map(({ tagId }) => tags.find(({ id }) => id === tagId)!),
  }));
}

/** The path of a page whose parent was deleted permanently: nothing else in an export tells it. */
function orphanPath({ type, slug }: { type: string; slug: string }, parent: string): string[] {
  return type === 'page' && parent === '' && slug !== `/${ownSlug(slug)}` ? [slug] : [];
}

/** The display names that more than one author of a post has. */
export async function readNamesakes(tx: Transaction): Promise<Set<string>> {
  const authors = await tx.user.findMany({
    where: { OR: [{ posts: { some: {} } }, { authorships: { some: {} } }] },
    select: { displayName: true },
  });
  const names = authors.map(({ displayName }) => displayName);
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

const authorColumns = { id: true, displayName: true, username: true, email: true, bio: true } as const;

// An import gives an unreachable email address to an author without one.
function withRealEmail<Author extends { email: string } | null>(author: Author): Author {
  return author?.email.endsWith('.invalid') ? { ...author, email: '' } : author;
}

/** The site's data in an export, without the posts. */
export async function readSite(tx: Transaction, app: Clocked & Configured): Promise<ExportedSite> {
  const settings = await readSettings({ db: tx });
  const term = { orderBy: { slug: 'asc' }, select: { slug: true, name: true, description: true } } as const;
  const categories = await tx.category.findMany({ ...term, where: { posts: { some: notTrashed } } });
  const tags = await tx.tag.findMany({ ...term, where: { posts: { some: { post: notTrashed } } } });
  const named = { where: { post: notTrashed }, take: 1, select: { postId: true } } as const;
  const authors = await tx.user.findMany({
    where: { OR: [{ posts: { some: notTrashed } }, { authorships: { some: { post: notTrashed } } }] },
    orderBy: { username: 'asc' },
    select: { ...authorColumns, authorships: named },
  });
  return {
    title: settings.site_title,
    description: settings.site_description,
    language: settings.site_language,
    url: app.env.siteUrl,
    now: app.clock.now(),
    categories,
    tags,
    authors: authors.map(({ authorships, ...author }) => ({
      ...withRealEmail(author),
      isNamed: authorships.length > 0,
    })),
  };
}
