import type { Transaction } from '#app/platform/database/client.server.ts';
import { inSteps, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { say } from '#app/platform/message.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { pickFields } from '#app/posts/fields/fields.ts';
import { postStatuses, TRASHED, wholeSecond, notTrashed } from '#app/posts/fields/states.ts';
import { changedFields, noReferences } from '#app/posts/fields/stored.ts';
import { readPresentFields, readReferences } from '#app/posts/terms/references.server.ts';
import type { PublicChange, PublishingContext } from '#app/publishing/change/public-change.server.ts';
import type { RenderedBody } from '#app/publishing/post-row/body.server.ts';
import { auditActionOf, type PostBatch } from '#app/publishing/post-row/history.server.ts';
import {
  claimPosts,
  POSTS_PER_STATEMENT,
  readPosts,
  type ReadPost,
  missingReferences,
  newReferences,
} from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import type { PostSnapshot, ReleaseItemRow } from '#app/releases/items.ts';
import {
  isDeleted,
  checkedPostColumns,
  leaveWithoutFormerParent,
  namesAddress,
  PlannedAddresses,
  readAddressChange,
  type AddressChange,
  type CheckedPost,
} from '#app/releases/planned-addresses.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { planItemChange } from './plan-item-change.ts';

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

/** Parsing takes long, and few changes name one of these fields. */
const addressFields = /"(?:slug|parentId|type)"/;

/** Above the length of every path. */
const LAST = 100;

/** How the posts of a release move. */
interface PlannedMoves {
  /** The items in an order in which each page finds the pages above it where the release puts them. */
  ordered: ReleaseItemRow[];
  /** Pages that get another parent. A page above may be written before they leave it. */
  leaving: ReadonlySet<string>;
}

/**
 * Plans the moves of a release that its check has allowed. Pages with the shortest new paths come first: in another
 * order a page could be below itself for a moment, or too deep. Pages that become posts come last, when the pages below
 * them have left; of these, those with the longest old paths come first.
 */
async function planMoves(tx: Transaction, items: readonly ReleaseItemRow[]): Promise<PlannedMoves> {
  const posts = new Map<string, CheckedPost>();
  const changes = new Map<string, AddressChange>();
  const moves = items.filter(({ fields }) => addressFields.test(fields));
  await inSteps(moves, TEXTS_A_STEP, async (batch) => {
    const ids = batch.map(({ subjectId }) => subjectId);
    const where = { id: { in: ids }, ...notTrashed };
    const rows = await tx.post.findMany({ where, select: checkedPostColumns });
    for (const row of rows) posts.set(row.id, row);
    for (const item of batch) {
      const post = posts.get(item.subjectId);
      const change = post && readAddressChange(item, post);
      if (change && namesAddress(post, change)) changes.set(post.id, change);
    }
    return rows;
  });
  await leaveWithoutFormerParent(tx, changes);
  const addresses = new PlannedAddresses(tx, posts, changes);
  const depthOf = new Map<string, number>();
  const leaving = new Set<string>();
  for (const [id, { parentId, type }] of changes) {
    const post = posts.get(id)!;
    const address = await addresses.of(post);
    const isPage = (type ?? post.type) === 'page';
    depthOf.set(id, isPage && typeof address === 'string' ? lengthOf(address) : LAST - lengthOf(post.slug));
    if (parentId !== undefined && parentId !== post.parentId) leaving.add(id);
  }
  const depth = ({ subjectId }: ReleaseItemRow) => depthOf.get(subjectId) ?? 0;
  const ordered = items.toSorted((a, b) => (depth(a) === depth(b) ? 0 : depth(a) - depth(b)));
  return { ordered, leaving };
}

/** The number of segments of a path. */
function lengthOf(path: string): number {
  return path.split('/').length;
}
