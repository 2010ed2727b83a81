import type { Db } from '#app/platform/services.ts';
import { notTrashed, TRASHED } from '#app/posts/fields/states.ts';

/** The post, page, term or author that a public address means. */
export type AddressTarget =
  | {
      kind: 'post';
      id: string;
      title: string;
      status: string;
      publishedAt: Date | null;
      authorId: string | null;
    }
  | { kind: 'category' | 'tag' | 'author'; id: string; title: string };

const postColumns = { id: true, title: true, status: true, publishedAt: true, authorId: true } as const;

/** The page with an id, in any state but the trash. */
export async function findPage({ db }: Db, id: string): Promise<AddressTarget | null> {
  const post = await db.post.findFirst({ where: { id, type: 'page', ...notTrashed }, select: postColumns });
  return post && { kind: 'post', ...post };
}

/**
 * What is, was or will be at a public path: a post in any state but the trash, a category, a tag or an author.
 * @param path unencoded, such as `/posts/tides`
 */
export async function findByPath({ db }: Db, path: string): Promise<AddressTarget | null> {
  const [, kind, name] = /^\/(posts|categories|tags|authors)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'authors') {
    const author = await db.user.findUnique({
      where: { username: name! },
      select: { id: true, displayName: true },
    });
    return author && { kind: 'author', id: author.id, title: author.displayName };
  }
  const entry = await db.sitemapEntry.findUnique({ where: { path }, select: { postId: true } });
  const post = await db.post.findFirst({
    // A page's row has its whole path as the slug.
    where: { ...(entry ? { id: entry.postId } : { slug: kind === 'posts' ? name! : path }), ...notTrashed },
    select: postColumns,
  });
  if (post) return { kind: 'post', ...post };
  const select = { id: true, name: true } as const;
  if (kind === 'categories' || kind === 'tags') {
    const isTag = kind === 'tags';
    const where = { slug: name! };
    const term = await (isTag
      ? db.tag.findUnique({ where, select })
      : db.category.findUnique({ where, select }));
    if (term) return { kind: isTag ? 'tag' : 'category', id: term.id, title: term.name };
  }
  const redirect = await db.redirect.findUnique({
    where: { path },
    select: { post: { select: postColumns }, category: { select }, tag: { select } },
  });
  if (redirect?.category)
    return { kind: 'category', id: redirect.category.id, title: redirect.category.name };
  if (redirect?.tag) return { kind: 'tag', id: redirect.tag.id, title: redirect.tag.name };
  const moved = redirect?.post;
  return moved && moved.status !== TRASHED ? { kind: 'post', ...moved } : null;
}
