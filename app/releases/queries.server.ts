import { may, type Actor } from '#app/people/roles.ts';
import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { inSteps, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { oneOf } from '#app/platform/narrow.ts';
import type { Db } from '#app/platform/services.ts';
import type { ReleaseItemRow } from './items.ts';
import { isUnpublished, type ReleaseStatus, releaseStatuses } from './release.ts';

type Reader = { db: Pick<Transaction, 'release' | 'releaseItem'> };

export type ReleaseRow = Omit<Prisma.ReleaseGetPayload<object>, 'status'> & { status: ReleaseStatus };

/** A release with its items, in the order in which they were added. */
export interface ReleaseWithItems extends ReleaseRow {
  items: ReleaseItemRow[];
}

const inOrder = [{ createdAt: 'asc' }, { id: 'asc' }] satisfies Prisma.ReleaseItemOrderByWithRelationInput[];

/** A row of the table with its state. */
export function releaseOf<Row extends { status: string }>(
  row: Row,
): Omit<Row, 'status'> & { status: ReleaseStatus } {
  return { ...row, status: oneOf(releaseStatuses, row.status) };
}

/** @throws AppError `not_found`. */
export async function readRelease(app: Reader, id: string): Promise<ReleaseWithItems> {
  const row = await app.db.release.findUnique({ where: { id } });
  if (!row) throw new AppError('not_found', 'This release does not exist.');
  return { ...releaseOf(row), items: await readItems(app, id) };
}

/** The items of a release, in the order in which they were added. */
export async function readItems(app: Reader, releaseId: string): Promise<ReleaseItemRow[]> {
  const rows = await app.db.releaseItem.findMany({
    where: { releaseId },
    orderBy: inOrder,
    select: { id: true },
  });
  return inSteps(rows, TEXTS_A_STEP, (batch) =>
    app.db.releaseItem.findMany({ where: { id: { in: batch.map(({ id }) => id) } }, orderBy: inOrder }),
  );
}

/** The posts that become public with a release. */
export const idsToPublish = (items: readonly Pick<ReleaseItemRow, 'kind' | 'action' | 'subjectId'>[]) =>
  items.filter(({ kind, action }) => kind === 'post' && action === 'publish').map((item) => item.subjectId);

/** A release in a list. */
interface ReleaseSummary extends ReleaseRow {
  itemCount: number;
  isRolledBack: boolean;
}

/** Releases for a list: the unpublished ones by their time, then the newest published ones. */
export async function listReleases(app: Db, limit = 100): Promise<ReleaseSummary[]> {
  const include = { _count: { select: { items: true } } } as const;
  const open = await app.db.release.findMany({
    where: isUnpublished,
    include,
    orderBy: [{ publishAt: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
    take: limit,
  });
  const published = await app.db.release.findMany({
    where: { status: 'published' },
    include,
    orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  const rolledBack = await rolledBackAmong(app, published);
  return [...open, ...published].map(({ _count, ...row }) => ({
    ...releaseOf(row),
    itemCount: _count.items,
    isRolledBack: rolledBack.has(row.id),
  }));
}

/** The ids of the releases that a rollback has undone (`isRolledBack`). */
async function rolledBackAmong(app: Reader, releases: readonly { id: string }[]): Promise<Set<string>> {
  const rollbacks = await app.db.release.findMany({
    where: { rollbackOfId: { in: releases.map(({ id }) => id) }, status: 'published' },
    select: { rollbackOfId: true },
  });
  const rolledBack = new Set<string>();
  // Most releases have no rollback, so these are few.
  for (const id of new Set(rollbacks.map(({ rollbackOfId }) => rollbackOfId!)))
    if (await isRolledBack(app, id)) rolledBack.add(id);
  return rolledBack;
}

/** Scheduled and published releases of a period, for the calendar. */
export async function listReleasesBetween(app: Db, from: Date, to: Date) {
  const rows = await app.db.release.findMany({
    where: { status: { in: ['scheduled', 'published'] }, publishAt: { gte: from, lt: to } },
    select: { id: true, name: true, status: true, publishAt: true, problem: true },
    orderBy: [{ publishAt: 'asc' }, { id: 'asc' }],
    take: 200,
  });
  return rows.map((row) => ({ ...row, publishAt: row.publishAt! }));
}

/** A release that a post can be added to, or is in. */
export type ReleaseChoice = Pick<ReleaseRow, keyof typeof choice>;

const choice = { id: true, name: true, status: true, publishAt: true } as const;

/** Releases to which changes can be added. */
export async function listOpenReleases(app: Db, limit = 200): Promise<ReleaseChoice[]> {
  const rows = await app.db.release.findMany({
    where: isUnpublished,
    select: choice,
    orderBy: [{ publishAt: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
    take: limit,
  });
  return rows.map(releaseOf);
}

/** The unpublished releases that change a thing, each with its change. */
export async function listReleasesOf(
  app: Reader,
  kind: string,
  subjectId: string,
): Promise<(ReleaseItemRow & { release: ReleaseChoice })[]> {
  return listReleasesOfAny(app, kind, [subjectId]);
}

/** The unpublished releases that change any of several things of one kind. */
export async function listReleasesOfAny(
  app: Reader,
  kind: string,
  subjectIds: readonly string[],
): Promise<(ReleaseItemRow & { release: ReleaseChoice })[]> {
  const rows = await app.db.releaseItem.findMany({
    where: { kind, subjectId: { in: [...subjectIds] }, release: isUnpublished },
    include: { release: { select: choice } },
    orderBy: inOrder,
  });
  return rows.map((row) => ({ ...row, release: releaseOf(row.release) }));
}

/** True when a release that is not published yet depends on the post. */
export async function isInOpenRelease(app: Reader, postId: string): Promise<boolean> {
  const openItem = await app.db.releaseItem.findFirst({
    where: { kind: 'post', subjectId: postId, release: isUnpublished },
    select: { id: true },
  });
  return openItem !== null;
}

/**
 * True for a release that a rollback has undone. A rollback that was itself rolled back has brought the changes back.
 * @param options.besides the id of a rollback that does not count
 */
export async function isRolledBack(
  app: Reader,
  releaseId: string,
  { besides }: { besides?: string } = {},
): Promise<boolean> {
  const rollbacks = await app.db.release.findMany({
    where: { rollbackOfId: releaseId, status: 'published', id: { not: besides } },
    select: { id: true },
  });
  for (const { id } of rollbacks) if (!(await isRolledBack(app, id))) return true;
  return false;
}

/**
 * The posts as permissions see them: a draft in a scheduled release counts as scheduled, since the release publishes it
 * as it is then. Otherwise somebody without the right to publish could change it after an editor has scheduled it.
 */
export async function withReleaseStates<Post extends { id: string; status: string }>(
  app: Reader,
  user: Actor,
  posts: readonly Post[],
): Promise<Post[]> {
  const drafts = posts.filter(({ status }) => status === 'draft').map(({ id }) => id);
  if (drafts.length === 0 || may(user, 'posts:publish')) return [...posts];
  const items = await app.db.releaseItem.findMany({
    where: { kind: 'post', subjectId: { in: drafts }, release: { status: 'scheduled' } },
    select: { subjectId: true },
  });
  const inRelease = new Set(items.map(({ subjectId }) => subjectId));
  return posts.map((post) => (inRelease.has(post.id) ? { ...post, status: 'scheduled' } : post));
}

/** One post as permissions see it. */
export async function withReleaseState<Post extends { id: string; status: string }>(
  app: Reader,
  user: Actor,
  post: Post,
): Promise<Post> {
  const [seen] = await withReleaseStates(app, user, [post]);
  return seen!;
}
