import type { App } from '#app/app.ts';
import { listKey, TERMS_KEY } from '#app/platform/page-keys.ts';

type Reader = Pick<App, 'db' | 'recordKeys'>;

/** A category or tag that has published posts. */
export interface Term {
  id: string;
  slug: string;
  name: string;
  description: string;
  /** Published posts in it. */
  postCount: number;
}

const columns = { id: true, slug: true, name: true, description: true } as const;
// A term that no published post has yet could betray what is planned, so it is not public either.
const isPublic = { status: 'published' } as const;

/** Every public category with its count, by name. */
export async function listCategories(app: Reader): Promise<Term[]> {
  app.recordKeys?.(TERMS_KEY);
  const rows = await app.db.category.findMany({
    where: { posts: { some: isPublic } },
    select: { ...columns, _count: { select: { posts: { where: isPublic } } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ _count, ...row }) => ({ ...row, postCount: _count.posts }));
}

/** Every public tag with its count, by name. */
export async function listTags(app: Reader): Promise<Term[]> {
  app.recordKeys?.(TERMS_KEY);
  const rows = await app.db.tag.findMany({
    where: { posts: { some: { post: isPublic } } },
    select: { ...columns, _count: { select: { posts: { where: { post: isPublic } } } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ _count, ...row }) => ({ ...row, postCount: _count.posts }));
}

/** A public category. */
export async function findCategory(app: Reader, slug: string): Promise<Omit<Term, 'postCount'> | null> {
  const category = await app.db.category.findUnique({
    where: { slug, posts: { some: isPublic } },
    select: columns,
  });
  if (category) app.recordKeys?.(listKey({ categoryId: category.id }));
  return category;
}

/** A public tag. */
export async function findTag(app: Reader, slug: string): Promise<Omit<Term, 'postCount'> | null> {
  const tag = await app.db.tag.findUnique({
    where: { slug, posts: { some: { post: isPublic } } },
    select: columns,
  });
  if (tag) app.recordKeys?.(listKey({ tagId: tag.id }));
  return tag;
}

/** A category or tag as the backend lists it: every one, with posts in every state. */
export interface TermListing {
  id: string;
  slug: string;
  name: string;
  posts: number;
  published: number;
}

/** Every category, or every tag, by name. */
export async function listAllTerms(app: Reader, kind: 'category' | 'tag'): Promise<TermListing[]> {
  const select = { id: true, slug: true, name: true } as const;
  const isTag = kind === 'tag';
  const [terms, all, published] = await Promise.all([
    isTag ? app.db.tag.findMany({ select }) : app.db.category.findMany({ select }),
    isTag ? countByTag(app, {}) : countByCategory(app, {}),
    isTag ? countByTag(app, isPublic) : countByCategory(app, isPublic),
  ]);
  return terms
    .map((term) => ({ ...term, posts: all.get(term.id) ?? 0, published: published.get(term.id) ?? 0 }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

async function countByCategory(app: Reader, where: { status?: string }): Promise<Map<string, number>> {
  const rows = await app.db.post.groupBy({
    by: ['categoryId'],
    where: { ...where, categoryId: { not: null } },
    _count: true,
  });
  return new Map(rows.map((row) => [row.categoryId!, row._count]));
}

async function countByTag(app: Reader, post: { status?: string }): Promise<Map<string, number>> {
  const rows = await app.db.postTag.groupBy({ by: ['tagId'], where: { post }, _count: true });
  return new Map(rows.map((row) => [row.tagId, row._count]));
}
