import type { App } from '#app/app.ts';
import { listKey, teaserKey } from '#app/platform/page-keys.ts';
import { startOfDay } from '#app/platform/time-zone.ts';
import type { PostLink } from './public-post.ts';
import { isPublic, toLink } from './queries.server.ts';

/** Titles are short: an archive page holds many. */
export const ARCHIVE_PAGE_SIZE = 100;

export interface ArchivePage {
  posts: PostLink[];
  total: number;
  page: number;
  pageCount: number;
  years: ArchiveYear[];
}

export interface ArchiveYear {
  year: number;
  count: number;
  /** The archive page on which the year begins. */
  page: number;
}

/** One page of all published posts as links, newest first, with the years; null for a page that does not exist. */
export async function listArchive(
  app: Pick<App, 'db' | 'recordKeys'>,
  { page, timeZone }: { page: number; timeZone: string },
): Promise<ArchivePage | null> {
  app.recordKeys?.(listKey({}));
  const years = await countByYear(app, timeZone);
  const total = years.reduce((sum, { count }) => sum + count, 0);
  const pageCount = Math.max(1, Math.ceil(total / ARCHIVE_PAGE_SIZE));
  if (page < 1 || page > pageCount) return null;
  const rows = await app.db.post.findMany({
    where: isPublic,
    select: { id: true, slug: true, title: true, publishedAt: true },
    orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
    skip: (page - 1) * ARCHIVE_PAGE_SIZE,
    take: ARCHIVE_PAGE_SIZE,
  });
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  const posts = rows.map(toLink);
  return { posts, total, page, pageCount, years };
}

// One count over the index a year, instead of every row's date.
async function countByYear(app: Pick<App, 'db'>, timeZone: string): Promise<ArchiveYear[]> {
  const { _min: first, _max: last } = await app.db.post.aggregate({
    where: isPublic,
    _min: { publishedAt: true },
    _max: { publishedAt: true },
  });
  if (!first.publishedAt || !last.publishedAt) return [];
  const counts: ArchiveYear[] = [];
  let before = 0;
  for (
    let year = yearOf(last.publishedAt, timeZone);
    year >= yearOf(first.publishedAt, timeZone);
    year -= 1
  ) {
    const count = await app.db.post.count({
      where: { ...isPublic, publishedAt: { gte: newYear(year, timeZone), lt: newYear(year + 1, timeZone) } },
    });
    if (count > 0) counts.push({ year, count, page: Math.floor(before / ARCHIVE_PAGE_SIZE) + 1 });
    before += count;
  }
  return counts;
}

function yearOf(date: Date, timeZone: string): number {
  return Number(new Intl.DateTimeFormat('en-u-ca-gregory', { year: 'numeric', timeZone }).format(date));
}

function newYear(year: number, timeZone: string): Date {
  return startOfDay(`${String(year).padStart(4, '0')}-01-01`, timeZone)!;
}
