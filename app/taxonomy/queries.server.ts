import type { App } from '#app/app.ts';
import { listKey, TERMS_KEY } from '#app/platform/page-keys.ts';
import { countedList, countPosts } from '#app/posts/post-counts.server.ts';
import { isPublic } from '#app/posts/list-scope.ts';
import { postStatuses } from '#app/posts/states.ts';

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
type TermRow = Omit<Term, 'postCount'>;

/** Every public category with its count, by name. */
export async function listCategories(app: Reader): Promise<Term[]> {
  app.recordKeys?.(TERMS_KEY);
  return publicTerms(
    await app.db.category.findMany({ select: columns, orderBy: byName }),
    await countByTerm(app, 'category'),
  );
}

/** Every public tag with its count, by name. */
export async function listTags(app: Reader): Promise<Term[]> {
  app.recordKeys?.(TERMS_KEY);
  return publicTerms(
    await app.db.tag.findMany({ select: columns, orderBy: byName }),
    await countByTerm(app, 'tag'),
  );
}

const byName = [{ name: 'asc' as const }, { id: 'asc' as const }];

// A term that no published post has yet could betray what is planned, so it is not public either.
function publicTerms(terms: TermRow[], counts: Map<string, TermCount>): Term[] {
  return terms.flatMap((term) => {
    const postCount = counts.get(term.id)?.published ?? 0;
    return postCount > 0 ? [{ ...term, postCount }] : [];
  });
}

/** A public category. */
export async function findCategory(app: Reader, slug: string): Promise<TermRow | null> {
  const category = await app.db.category.findUnique({ where: { slug }, select: columns });
  if (!category || (await countPosts(app, { categoryId: category.id })) === 0) return null;
  app.recordKeys?.(listKey({ categoryId: category.id }));
  return category;
}

/** A public tag. */
export async function findTag(app: Reader, slug: string): Promise<TermRow | null> {
  const tag = await app.db.tag.findUnique({ where: { slug }, select: columns });
  if (!tag || (await countPosts(app, { tagId: tag.id })) === 0) return null;
  app.recordKeys?.(listKey({ tagId: tag.id }));
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
export async function listAllTerms(app: Reader, kind: TermKind): Promise<TermListing[]> {
  const select = { id: true, slug: true, name: true } as const;
  const terms = await (kind === 'tag'
    ? app.db.tag.findMany({ select })
    : app.db.category.findMany({ select }));
  const counts = await countByTerm(app, kind);
  return terms
    .map((term) => ({ ...term, ...(counts.get(term.id) ?? { posts: 0, published: 0 }) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

type TermKind = 'category' | 'tag';

interface TermCount {
  /** In every state. */
  posts: number;
  published: number;
}

/** The counts of every category, or of every tag, by id. */
async function countByTerm({ db }: Reader, kind: TermKind): Promise<Map<string, TermCount>> {
  const prefix = countedList(kind === 'tag' ? { tagId: ' ' } : { categoryId: ' ' }).trim();
  const groups = await db.postCount.groupBy({
    by: ['list', 'status'],
    // A semicolon follows the colon.
    where: {
      month: '',
      list: { gte: prefix, lt: prefix.replace(':', ';') },
      status: { in: [...postStatuses] },
    },
    _sum: { posts: true },
  });
  const counts = new Map<string, TermCount>();
  for (const { list, status, _sum } of groups) {
    const id = list.slice(prefix.length);
    const count = counts.get(id) ?? { posts: 0, published: 0 };
    count.posts += _sum.posts ?? 0;
    if (status === isPublic.status) count.published += _sum.posts ?? 0;
    counts.set(id, count);
  }
  return counts;
}
