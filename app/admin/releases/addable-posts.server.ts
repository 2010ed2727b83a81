import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { postsVisibleTo } from '#app/people/post-access.ts';
import { yieldToEventLoop } from '#app/platform/jobs/event-loop.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';

const POSTS_OFFERED = 100;
/** Rows that are read in one turn of the event loop. */
const ROWS_READ = 100;

const addable = ['draft', 'scheduled', 'archived'];

/** Posts that can be added to a release with these items, the last changed first. */
export async function readAddablePosts({ app, user }: ScreenArguments, items: readonly ReleaseItemRow[]) {
  const present = new Set(items.map(({ subjectId }) => subjectId));
  // One state at a time, which uses an index: for several states SQLite would read and sort all posts.
  const readLatest = (status: string, skip: number) =>
    app.db.post.findMany({
      where: { AND: [postsVisibleTo(user), { status }] },
      select: { id: true, title: true, status: true, updatedAt: true },
      orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
      skip,
      take: ROWS_READ,
    });
  const offered: Awaited<ReturnType<typeof readLatest>> = [];
  for (const status of addable) {
    const ofStatus: typeof offered = [];
    for (let skip = 0; ofStatus.length < POSTS_OFFERED; skip += ROWS_READ) {
      const rows = await readLatest(status, skip);
      ofStatus.push(...rows.filter(({ id }) => !present.has(id)));
      if (rows.length < ROWS_READ) break;
      await yieldToEventLoop();
    }
    offered.push(...ofStatus);
  }
  return offered
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    .slice(0, POSTS_OFFERED)
    .map(({ updatedAt: _updatedAt, ...choice }) => choice);
}
