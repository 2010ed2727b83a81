import type { App } from '#app/app.ts';

/** Differs whenever something has changed that the site at an instant may show. Few reads by index. */
export async function readFingerprint(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  instant: Date,
): Promise<string> {
  const isOpen = { status: { in: ['draft', 'scheduled'] } };
  const [state, waiting, updates, releases, items] = await Promise.all([
    db.siteState.findUnique({ where: { id: 1 }, select: { contentVersion: true } }),
    db.post.aggregate({ where: { status: 'scheduled' }, _count: true, _max: { updatedAt: true } }),
    db.scheduledUpdate.aggregate({ _count: true, _max: { createdAt: true } }),
    db.release.aggregate({ where: isOpen, _count: true, _sum: { version: true }, _max: { updatedAt: true } }),
    db.releaseItem.findMany({
      where: { kind: 'post', action: 'publish', release: { status: 'scheduled' } },
      select: { subjectId: true },
      take: 2_000,
    }),
  ]);
  const drafts = await db.post.aggregate({
    where: { id: { in: items.map(({ subjectId }) => subjectId) } },
    _count: true,
    _sum: { version: true },
  });
  return JSON.stringify([state, waiting, updates, releases, drafts, instant < clock.now()]);
}
