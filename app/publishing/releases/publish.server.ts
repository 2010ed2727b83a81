import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { inChunks, inTurns } from '#app/platform/jobs/event-loop.server.ts';
import { type Message } from '#app/platform/message.ts';
import { readStoredFields } from '#app/posts/fields/stored.ts';
import {
  changePublicContent,
  lockPosts,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { addressFields } from '#app/publishing/post-row/addresses.server.ts';
import { PostBatch } from '#app/publishing/post-row/history.server.ts';
import { renderChangedBody, type RenderedBody } from '#app/publishing/post-row/body.server.ts';
import { checkItems, ofKind, summariseProblems } from '#app/releases/check-release.server.ts';
import { readPostUndo, type ReleaseItemRow } from '#app/releases/items.ts';
import { textKinds } from '#app/releases/live-texts.server.ts';
import { isRolledBack, readRelease, type ReleaseWithItems } from '#app/releases/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { applyPosts, type AppliedPosts, type ReleaseRun } from './apply-posts.server.ts';
import { applyTexts } from './apply-texts.server.ts';
import { insertReleaseItems } from './edit.server.ts';

/** Texts that are rendered at the same time. Leaves room in the queue of the worker threads for other requests. */
const RENDERED_AT_ONCE = 4;

/** One change of a release cannot be published, so none was. */
class ReleaseBlocked extends AppError {
  constructor(problem: Message) {
    super('conflict', problem);
  }
}

/**
 * Publishes everything in a release, in one transaction with one content version, exactly once: only the caller whose
 * update returns the release's row does it.
 * @param input.dueAt for a trigger: publishes only a scheduled release whose time is not later; its posts get that
 *   time. Absent: somebody publishes it now.
 * @returns null when somebody else published or changed it meanwhile
 * @throws ReleaseBlocked; AppError `not_found`
 */
export async function publishRelease(
  app: PublishingContext,
  input: { id: string; dueAt?: Date; by: By },
): Promise<AppliedPosts | null> {
  const { id, dueAt, by } = input;
  const release = await readRelease(app, id);
  if (release.status === 'published') return null;
  const timeOf = (now: Date) => (dueAt ? (release.publishAt ?? now) : now);
  const rendered = await renderBodies(app, release, timeOf(app.clock.now()));
  // Others may take addresses while a release of mere texts goes out, which can be seconds.
  const needsAddresses = !(await keepsAddresses(release));
  return changePublicContent(
    app,
    async (change) => {
      const { tx, now } = change;
      const isClaimed = await claim(change, release, dueAt);
      if (!isClaimed) {
        change.affects();
        return null;
      }
      const at = timeOf(now);
      const posts = ofKind(release.items, 'post');
      // Locked before the check, so that nobody changes or trashes between both what the release then leaves out.
      await lockPosts(
        app,
        tx,
        posts.map(({ subjectId }) => subjectId),
      );
      if (needsAddresses) await change.lockAddresses();
      await requirePublishable({ db: tx }, release, at);
      const isRollback = release.rollbackOfId !== null;
      if (isRollback && (await isRolledBack({ db: tx }, release.rollbackOfId!, { besides: id })))
        throw rolledBack();
      const undo = new Map<string, string>();
      const texts = () => applyTexts(change, ofKind(release.items, ...textKinds), undo).catch(blocked);
      // A rollback is applied in reverse order: a redirect may need an address that a post leaves.
      if (!isRollback) await texts();
      const settings = await readSettings({ db: tx });
      const run: ReleaseRun = { release, at, settings, rendered, batch: new PostBatch(by), undo };
      const applied = await applyPosts(app, change, run, posts);
      if (isRollback) await texts();
      await run.batch.write(app, change, settings);
      await storeUndo(app, change, release, undo);
      await writeAudit(tx, app.clock, { action: 'release.published', by, subject: release.name });
      if (isRollback) await unscheduleOtherRollbacks(app, change, release, by);
      if (isRollback) change.causes('release.rolled_back', `release:${release.rollbackOfId}`);
      else change.causes('release.published', `release:${id}`);
      return applied;
    },
    { drain: dueAt === undefined },
  );
}

/** True for a release of nothing but changes of public posts that stay at their addresses. */
async function keepsAddresses({ items }: ReleaseWithItems): Promise<boolean> {
  for await (const item of inTurns(items)) if (!keepsAddress(item)) return false;
  return true;
}

function keepsAddress({ kind, action, fields: json }: ReleaseItemRow): boolean {
  if (kind !== 'post' || action !== 'update') return false;
  const fields = readStoredFields(json);
  return fields !== null && !addressFields.some((name) => name in fields);
}

/** The error of a second rollback of the same release. */
export function rolledBack(): AppError {
  return new ReleaseBlocked('This release is rolled back already.');
}

/** Claims the release. The condition includes the version, so its content is what was read and rendered. */
async function claim(
  { tx, now }: PublicChange,
  { id, version, publishAt }: ReleaseWithItems,
  dueAt: Date | undefined,
): Promise<boolean> {
  const state = dueAt ? { status: 'scheduled', publishAt: { lte: dueAt } } : { status: { not: 'published' } };
  const { count } = await tx.release.updateMany({
    where: { id, version, ...state },
    data: {
      status: 'published',
      publishedAt: now,
      publishAt: dueAt ? publishAt : now,
      problem: '',
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  return count === 1;
}

/**
 * A release is rolled back only once, so its other rollbacks become drafts. They are kept: somebody may have added to
 * them.
 */
async function unscheduleOtherRollbacks(
  { clock }: PublishingContext,
  { tx, now }: PublicChange,
  { id, rollbackOfId }: ReleaseWithItems,
  by: By,
): Promise<void> {
  const others = await tx.release.updateManyAndReturn({
    where: { rollbackOfId, status: 'scheduled', id: { not: id } },
    data: { status: 'draft', problem: '', version: { increment: 1 }, updatedAt: now },
    select: { name: true },
  });
  for (const { name } of others)
    await writeAudit(tx, clock, { action: 'release.unscheduled', by, subject: name });
}

async function requirePublishable(
  app: { db: Parameters<typeof checkItems>[0] },
  { items }: ReleaseWithItems,
  at: Date,
): Promise<void> {
  const problems = await checkItems(app.db, items, at);
  if (problems.length > 0) throw new ReleaseBlocked(summariseProblems(problems));
}

/** An error of one field blocks the whole release. */
function blocked(error: unknown): never {
  if (isAppError(error) && error.code === 'invalid_input') throw new ReleaseBlocked(error.said);
  throw error;
}

/** Runs before the transaction, because rendering takes longer than all writes. */
async function renderBodies(
  app: PublishingContext,
  release: ReleaseWithItems,
  at: Date,
): Promise<Map<string, RenderedBody>> {
  const bodies: { id: string; postId: string; body?: string; language?: string }[] = [];
  for await (const { id, subjectId: postId, action, fields: json } of inTurns(
    ofKind(release.items, 'post'),
  )) {
    const fields = action === 'restore' ? readPostUndo(json)?.after.fields : readStoredFields(json);
    if (fields?.body !== undefined || fields?.language !== undefined)
      bodies.push({ id, postId, body: fields.body, language: fields.language });
  }
  const rendered = new Map<string, RenderedBody>();
  if (bodies.length === 0) return rendered;
  // Checked first, so that a blocked release is not rendered by each trigger.
  await requirePublishable(app, release, at);
  const context = { ...app, settings: await readSettings(app) };
  for (const chunk of inChunks(bodies, RENDERED_AT_ONCE))
    await Promise.all(
      chunk.map(async ({ id, postId, ...source }) => {
        const body = await renderChangedBody(context, postId, source);
        if (body) rendered.set(id, body);
      }),
    );
  return rendered;
}

/** Replaces all rows at once: hundreds of single updates held SQLite's only write lock for a second. */
async function storeUndo(
  app: PublishingContext,
  change: PublicChange,
  { id: releaseId, items }: ReleaseWithItems,
  undo: Map<string, string>,
): Promise<void> {
  await change.tx.releaseItem.deleteMany({ where: { releaseId } });
  const rows = items.map((item) => ({ ...item, undo: undo.get(item.id) ?? null }));
  await insertReleaseItems(app, change, rows);
}
