import { pathKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { isPublic, type ListScope } from '#app/posts/lists/scope.ts';
import { categoryPath, decodeBarePath, encodePath, postPath, prefixOf, tagPath } from '../paths.ts';
import { findOldSiteAddress, findOldSiteQuery } from './old-site.server.ts';

/**
 * The target of an old path, ready for a `Location` header; null without a redirect, or when the target is not public.
 * @param path of a request, percent-encoded, without the prefix of a language
 * @param listedIn the list that the address belongs to: a term leads to its posts there, or else to the main list
 */
export async function findRedirect(app: Reading, path: string, listedIn = ''): Promise<string | null> {
  // Links to old addresses often end in a slash. Redirects are stored without it.
  const decoded = decodeBarePath(path);
  if (decoded === null) return null;
  return (
    (await findStored(app, decoded, listedIn)) ??
    findOldSiteAddress(app, decoded, (oldPath) => findStored(app, oldPath))
  );
}

/** The target of a query that an earlier WordPress site answered on its home page; null for any other query. */
export function findRedirectOfQuery(app: Reading, query: URLSearchParams): Promise<string | null> {
  return findOldSiteQuery(app, query, (oldPath) => findStored(app, oldPath));
}

async function findStored(app: Reading, decoded: string, listedIn = ''): Promise<string | null> {
  app.recordKeys?.(pathKey(decoded));
  const row = await app.db.redirect.findUnique({
    where: { path: decoded },
    select: {
      post: { select: { slug: true, status: true } },
      category: { select: { id: true, slug: true } },
      tag: { select: { id: true, slug: true } },
    },
  });
  const current = row && (await currentPath(app, row, listedIn));
  return current && current !== decoded ? encodePath(current) : null;
}

async function currentPath(
  app: Reading,
  row: {
    post: { slug: string; status: string } | null;
    category: { id: string; slug: string } | null;
    tag: { id: string; slug: string } | null;
  },
  listedIn: string,
): Promise<string | null> {
  const { post, category, tag } = row;
  if (post) return post.status === isPublic.status ? postPath(post.slug) : null;
  if (category) return pathOfTerm(app, categoryPath(category.slug), { categoryId: category.id, listedIn });
  return tag && pathOfTerm(app, tagPath(tag.slug), { tagId: tag.id, listedIn });
}

async function pathOfTerm(
  app: Reading,
  path: string,
  { listedIn, ...term }: ListScope & { listedIn: string },
): Promise<string | null> {
  for (const list of new Set([listedIn, '']))
    if ((await countPosts(app, { ...term, listedIn: list })) > 0) return prefixOf(list) + path;
  return null;
}
