import { listKey, teaserKey } from '#app/platform/http/page-keys.ts';
import type { Db, Reading } from '#app/platform/services.ts';
import { startOfDay } from '#app/platform/time/time-zone.ts';
import { thumbnailColumns, type CoverRow } from '#app/posts/pictures/queries.server.ts';
import { countByMonth, countPublishedBefore, type MonthCount } from './counts.server.ts';
import type { PostLink } from './public-post.ts';
import { linkColumns, toLink } from './queries.server.ts';
import { readListRows } from './rows.server.ts';

/** Titles are short: an archive page holds many. */
export const ARCHIVE_PAGE_SIZE = 100;

export interface ArchivePage {
  posts: (PostLink & CoverRow)[];
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
  app: Reading,
  { page, timeZone, listedIn = '' }: { page: number; timeZone: string; listedIn?: string },
): Promise<ArchivePage | null> {
  app.recordKeys?.(listKey({ listedIn }));
  const years = await countByYear(app, timeZone, listedIn);
  const total = years.reduce((sum, { count }) => sum + count, 0);
  const pageCount = Math.max(1, Math.ceil(total / ARCHIVE_PAGE_SIZE));
  if (page < 1 || page > pageCount) return null;
  const part = { offset: (page - 1) * ARCHIVE_PAGE_SIZE, limit: ARCHIVE_PAGE_SIZE };
  const columns = { ...linkColumns, ...thumbnailColumns } as const;
  const rows = await readListRows(app, { listedIn }, part, columns);
  app.recordKeys?.(...rows.map(({ id }) => teaserKey(id)));
  const posts = rows.map(({ coverMediaId, coverFocus, ...row }) => ({
    ...toLink(row),
    coverMediaId,
    coverFocus,
  }));
  return { posts, total, page, pageCount, years };
}

async function countByYear(app: Db, timeZone: string, listedIn: string): Promise<ArchiveYear[]> {
  const months = await countByMonth(app, { listedIn });
  if (months.length === 0) return [];
  const yearOf = ({ month }: MonthCount) => Number(month.slice(0, 4));
  // In the site's zone, the first hours of a year may belong to the year before, and the last ones to the year after.
  const [first, last] = [yearOf(months.at(-1)!) - 1, yearOf(months[0]!) + 1];
  const years = Array.from({ length: last - first + 1 }, (_, index) => last - index);
  const instants = [last + 1, ...years].map((year) => newYear(year, timeZone));
  const before = await countPublishedBefore(app, months, instants, listedIn);
  const total = before[0]!;
  return years.flatMap((year, index) => {
    const count = before[index]! - before[index + 1]!;
    const page = Math.floor((total - before[index]!) / ARCHIVE_PAGE_SIZE) + 1;
    return count > 0 ? [{ year, count, page }] : [];
  });
}

/** The last instant that can be stored (`isStorable`). */
const LAST_INSTANT = new Date('9999-12-31T23:59:59.999Z');

/** When a year begins. No post is later than the last instant, also on a site at an instant of the last years. */
function newYear(year: number, timeZone: string): Date {
  if (year > 9999) return LAST_INSTANT;
  return startOfDay(`${String(year).padStart(4, '0')}-01-01`, timeZone)!;
}
