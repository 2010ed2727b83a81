import type { Transaction } from '#app/platform/database/client.server.ts';
import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import {
  checkedPostColumns,
  leaveWithoutFormerParent,
  namesAddress,
  PlannedAddresses,
  readAddressChange,
  type AddressChange,
  type CheckedPost,
} from '#app/releases/planned-addresses.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';

/** Changes that are read in one turn of the event loop: they contain whole texts. */
const ITEMS_READ = 50;

/** Parsing takes long, and few changes name one of these fields. */
const addressFields = /"(?:slug|parentId|type)"/;

/** Above the length of every path. */
const LAST = 100;

/** How the posts of a release move. */
export interface PlannedMoves {
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
export async function planMoves(tx: Transaction, items: readonly ReleaseItemRow[]): Promise<PlannedMoves> {
  const posts = new Map<string, CheckedPost>();
  const changes = new Map<string, AddressChange>();
  const moves = items.filter(({ fields }) => addressFields.test(fields));
  await inSteps(moves, ITEMS_READ, async (batch) => {
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
