import type { Database } from '#app/platform/database/client.server.ts';
import { groupBy } from '#app/platform/group-by.ts';
import { inSteps, inTurns, ROWS_A_STEP, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { Db } from '#app/platform/services.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { postPath, termPath } from '#app/posts/paths.ts';
import { ofKind } from './check-release.server.ts';
import { readTexts, type ReleaseItemRow } from './items.ts';
import {
  checkedPostColumns,
  namesAddress,
  PlannedAddresses,
  readAddressChange,
  type AddressChange,
  type CheckedPost,
} from './planned-addresses.server.ts';
import type { ReleaseWithItems } from './queries.server.ts';
import { isUnpublished } from './release.ts';

/** Another unpublished release that changes the same thing or wants the same address. */
export interface RivalRelease {
  id: string;
  name: string;
  /** The address that both want for different things; null if both change the same thing. */
  address: string | null;
  /** Both publish the same post, which the earlier one does. */
  bothPublish: boolean;
}

const ofOpenRelease = (id: string) => ({ releaseId: { not: id }, release: isUnpublished });

const include = { release: { select: { id: true, name: true } } } as const;

/** The rivals of each change of a release, by the id of the change. */
export async function findRivals(
  { db }: Db,
  { id, items }: Pick<ReleaseWithItems, 'id' | 'items'>,
): Promise<Map<string, RivalRelease[]>> {
  const same = await inSteps(items, ROWS_A_STEP, (batch) =>
    db.releaseItem.findMany({
      where: { ...ofOpenRelease(id), subjectId: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { kind: true, subjectId: true, action: true, ...include },
    }),
  );
  const sameAs = groupBy(same, subjectOf);
  const moving = await readAddressChanges(db, id);
  const addressOf = await readNewAddresses(db, [...items, ...moving]);
  const movingTo = groupBy(moving, ({ id: of }) => addressOf.get(of));
  const rivalsByItem = new Map<string, RivalRelease[]>();
  for (const item of items) {
    const address = addressOf.get(item.id);
    const claimants = address === undefined ? [] : (movingTo.get(address) ?? []);
    const rivals = [
      ...(sameAs.get(subjectOf(item)) ?? []).map(({ release, action }) => ({
        ...release,
        address: null,
        bothPublish: action === 'publish' && item.action === 'publish',
      })),
      ...claimants
        .filter((other) => subjectOf(other) !== subjectOf(item))
        .map(({ release }) => ({ ...release, address: address!, bothPublish: false })),
    ];
    if (rivals.length > 0) rivalsByItem.set(item.id, rivals);
  }
  return rivalsByItem;
}

const subjectOf = ({ kind, subjectId }: Pick<ReleaseItemRow, 'kind' | 'subjectId'>) => `${kind} ${subjectId}`;

/** Changes of address in other releases: only such a change can conflict with something at that address. */
async function readAddressChanges(db: Database, id: string) {
  const names = ['slug', 'parentId', 'type'] satisfies (keyof PostFields)[];
  const moving = {
    ...ofOpenRelease(id),
    action: 'update',
    OR: [{ kind: 'redirect' }, ...names.map((name) => ({ fields: { contains: `"${name}"` } }))],
  };
  const rows = await db.releaseItem.findMany({ where: moving, select: { id: true } });
  return inSteps(rows, TEXTS_A_STEP, (batch) =>
    db.releaseItem.findMany({ where: { id: { in: batch.map((row) => row.id) } }, include }),
  );
}

/** The new addresses that changes want, by the id of the change. */
async function readNewAddresses(
  db: Database,
  items: readonly ReleaseItemRow[],
): Promise<Map<string, string>> {
  const updates = items.filter(({ action }) => action === 'update');
  const rows = await inSteps(ofKind(updates, 'post'), ROWS_A_STEP, (batch) =>
    db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: checkedPostColumns,
    }),
  );
  const posts = new Map(rows.map((row) => [row.id, row]));
  const addresses = new Map<string, string>();
  for (const ofRelease of groupBy(ofKind(updates, 'post'), ({ releaseId }) => releaseId).values())
    for (const [id, slug] of await planAddresses(db, posts, ofRelease)) addresses.set(id, postPath(slug));
  for (const { id, kind, subjectId, fields } of updates) {
    if (kind === 'redirect') addresses.set(id, subjectId);
    if (kind !== 'category' && kind !== 'tag') continue;
    const slug = readTexts(fields)?.slug;
    if (slug) addresses.set(id, termPath[kind](slug));
  }
  return addresses;
}

/** The stored slugs that the posts of one release get, by the id of the change. A page's begins with its parent's. */
async function planAddresses(
  db: Database,
  posts: ReadonlyMap<string, CheckedPost>,
  items: readonly ReleaseItemRow[],
): Promise<Map<string, string>> {
  const changes = new Map<string, AddressChange>();
  for await (const item of inTurns(items)) {
    const post = posts.get(item.subjectId);
    const change = post && readAddressChange(item, post);
    if (change) changes.set(post.id, change);
  }
  const planned = new PlannedAddresses(db, posts, changes);
  const slugs = new Map<string, string>();
  for (const { id, subjectId } of items) {
    const [post, change] = [posts.get(subjectId), changes.get(subjectId)];
    // A blank slug is made from the title, and is always free.
    if (!post || !change || change.slug === '' || !namesAddress(post, change)) continue;
    const slug = await planned.of(post);
    if (typeof slug === 'string') slugs.set(id, slug);
  }
  return slugs;
}
