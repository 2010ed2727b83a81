import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import { say } from '#app/platform/message.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { postStatuses, TRASHED, wholeSecond } from '#app/posts/fields/states.ts';
import { changedFields, noReferences } from '#app/posts/fields/stored.ts';
import { pickFields } from '#app/posts/fields/values.ts';
import { readPresentFields, readReferences } from '#app/posts/terms/references.server.ts';
import type { PublicChange, PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { auditActionOf } from '#app/publishing/post-row/audit.server.ts';
import type { PostBatch } from '#app/publishing/post-row/batch.server.ts';
import { claimPosts, POSTS_PER_STATEMENT } from '#app/publishing/post-row/claim-posts.server.ts';
import { readPosts, type ReadPost } from '#app/publishing/post-row/read.server.ts';
import type { RenderedBody } from '#app/publishing/post-row/render-body.server.ts';
import { missingReferences, newReferences } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import type { PostSnapshot } from '#app/releases/item-changes.ts';
import { isDeleted } from '#app/releases/planned-addresses.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { planItemChange } from './plan-item-change.ts';
import { planMoves } from './plan-moves.server.ts';

/** What the changes of a release need when they are applied. */
export interface ReleaseRun {
  release: { id: string; name: string; rollbackOfId: string | null };
  /** When its posts are published: the release's own time, or now. */
  at: Date;
  settings: Settings;
  /** Bodies by item, rendered before the transaction. */
  rendered: ReadonlyMap<string, RenderedBody>;
  batch: PostBatch;
  /** Gets the state of each changed post before and after, as JSON by item. */
  undo: Map<string, string>;
}

/** The effects of a release on posts. */
export interface AppliedPosts {
  published: { id: string; slug: string }[];
  /** Slugs of posts that were public before or are now, without those that it published. */
  changedSlugs: string[];
}

/** Applies the changes of posts, inside the transaction that has claimed the release and locked them. */
export async function applyPosts(
  app: PublishingContext,
  change: PublicChange,
  run: ReleaseRun,
  items: readonly ReleaseItemRow[],
): Promise<AppliedPosts> {
  const applied: AppliedPosts = { published: [], changedSlugs: [] };
  const publish = items.filter(({ action }) => action === 'publish');
  const others = items.filter(({ action }) => action !== 'publish');
  const { ordered, leaving } = await planMoves(change.tx, others);
  applied.published.push(
    ...(await inSteps(publish, POSTS_PER_STATEMENT, (chunk) => publishHidden(change, run, chunk))),
  );
  for await (const { item, post } of readPosts(change, ordered, ({ subjectId }) => subjectId))
    if (post) await changePost(app, change, run, { item, ...post, leaving }, applied);
  return applied;
}

/** Publishes the posts that are not public, many with one statement, as the trigger does. */
async function publishHidden(
  change: PublicChange,
  run: ReleaseRun,
  items: readonly ReleaseItemRow[],
): Promise<AppliedPosts['published']> {
  const itemOf = new Map(items.map((item) => [item.subjectId, item]));
  const isHidden = { status: { notIn: ['published', TRASHED] } };
  const hidden = await change.tx.post.findMany({
    where: { id: { in: [...itemOf.keys()] }, ...isHidden },
    select: { id: true, slug: true, title: true, status: true, publishedAt: true, contentUpdatedAt: true },
  });
  const isLate = ({ publishedAt }: { publishedAt: Date | null }) => !publishedAt || publishedAt > run.at;
  const at = wholeSecond(run.at);
  for (const late of [true, false]) {
    const ids = hidden.filter((post) => isLate(post) === late).map(({ id }) => id);
    await claimPosts(change, ids, { to: 'published', where: isHidden, publishedAt: late ? at : undefined });
  }
  for (const post of hidden) {
    const { publishedAt, contentUpdatedAt } = post;
    const status = oneOf(postStatuses, post.status);
    const before: PostSnapshot = { status, contentUpdatedAt, fields: { publishedAt }, terms: noReferences };
    const after: PostSnapshot = {
      status: 'published',
      contentUpdatedAt: change.now,
      fields: { publishedAt: isLate(post) ? at : publishedAt },
      terms: noReferences,
    };
    run.undo.set(itemOf.get(post.id)!.id, JSON.stringify({ before, after }));
    run.batch.addStep({ title: post.title, from: status, to: 'published' });
  }
  const order = new Map(items.map(({ subjectId }, index) => [subjectId, index]));
  return hidden.sort((a, b) => order.get(a.id)! - order.get(b.id)!).map(({ id, slug }) => ({ id, slug }));
}

async function changePost(
  app: PublishingContext,
  change: PublicChange,
  run: ReleaseRun,
  { item, current, before, leaving }: ReadPost & { item: ReleaseItemRow; leaving: ReadonlySet<string> },
  applied: AppliedPosts,
): Promise<void> {
  const itemChange = await planItemChange(item, current, before, {
    at: run.at,
    present: (stored) => readPresentFields(change.tx, stored),
  });
  if (!itemChange) return;
  const { fields, intent, contentUpdatedAt } = itemChange;
  // When a referenced picture or translation was removed meanwhile, the live post's reference stays. The category is
  // already what became of it, which may be none.
  for (const name of await missingReferences(change.tx, newReferences(fields, before)))
    fields[name] = before[name];
  const { parentId } = fields;
  const goesBack = item.action === 'restore' && parentId !== null && parentId !== before.parentId;
  if (goesBack && (await isDeleted(change.tx, parentId))) fields.parentId = before.parentId;
  const written = await writePost(app, change, {
    current,
    before,
    requested: fields,
    rendered: run.rendered.get(item.id),
    intent,
    kind: 'save',
    leaving,
    editorId: item.authorId,
    settings: run.settings,
    reason: say('Release “{name}”', { name: run.release.name }),
    waiting: { onConflict: 'keep' },
    times: { publishedAt: fields.publishedAt, archiveAt: fields.archiveAt },
    contentUpdatedAt,
    batch: run.batch,
  });
  const changed = changedFields(before, written.fields);
  const [found, left] = [pickFields(before, changed), pickFields(written.fields, changed)];
  const termsOf = await readReferences(change.tx, [found, left]);
  const from: PostSnapshot = {
    status: oneOf(postStatuses, current.status),
    contentUpdatedAt: current.contentUpdatedAt,
    fields: found,
    terms: termsOf(found),
  };
  const to: PostSnapshot = {
    status: written.status,
    contentUpdatedAt: contentUpdatedAt ?? change.now,
    fields: left,
    terms: termsOf(left),
  };
  run.undo.set(item.id, JSON.stringify({ before: from, after: to }));
  const { id, slug, status } = written;
  if (auditActionOf({ title: '', from: from.status, to: status }) === 'post.published')
    applied.published.push({ id, slug });
  else if (status === 'published' || from.status === 'published') applied.changedSlugs.push(slug);
}
