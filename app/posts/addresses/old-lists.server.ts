import { TERMS_KEY, listKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { nameKey, toSlug } from '#app/platform/text/slug.ts';
import { listArchive } from '#app/posts/lists/archive.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { findTermsByName } from '#app/posts/terms/find.server.ts';
import { postsPathOf } from '#app/settings/posts-path.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { encodePath, tagPath } from '../paths.ts';

// Finds the addresses on this site for the lists of an earlier site, for `old-site.server.ts`.

/** The address of a page of the list of posts, or of the first page if the list is shorter. */
export async function pageOfList(app: Reading, page: number): Promise<string> {
  app.recordKeys?.(listKey({}));
  const settings = await readSettings(app);
  const total = await countPosts(app, { listedIn: '' });
  const list = encodePath(postsPathOf(settings));
  return page > 1 && page <= Math.ceil(total / settings.posts_per_page) ? `${list}?page=${page}` : list;
}

/** The address of a year in the archive, on the page where the year begins; null for a year without posts. */
export async function yearOfArchive(app: Reading, year: number): Promise<string | null> {
  const { site_timezone: timeZone } = await readSettings(app);
  const archive = await listArchive(app, { page: 1, timeZone });
  const yearEntry = archive?.years.find((entry) => entry.year === year);
  if (!yearEntry) return null;
  return yearEntry.page === 1 ? `/archive#y${year}` : `/archive?page=${yearEntry.page}#y${year}`;
}

/** The tag for a label of Blogger. Blogger's label lists are below its search, where no redirect can be stored. */
export async function tagOfLabel(app: Reading, label: string): Promise<string | null> {
  app.recordKeys?.(TERMS_KEY);
  const tag = (await findTermsByName(app.db, 'tag', [label])).get(nameKey(label));
  const isPublicTag = tag && (await countPosts(app, { tagId: tag.id, listedIn: '' })) > 0;
  return isPublicTag ? encodePath(tagPath(tag.slug)) : null;
}

/** @param kind `tags` or `categories` */
export async function feedOfTerm(app: Reading, kind: string, name: string): Promise<string | null> {
  const where = { slug: toSlug(name) };
  app.recordKeys?.(TERMS_KEY);
  const term =
    kind === 'tags'
      ? await app.db.tag.findUnique({ where, select: { slug: true } })
      : await app.db.category.findUnique({ where, select: { slug: true } });
  return term && encodePath(`/${kind}/${term.slug}/rss.xml`);
}
