import type { App } from '#app/app.ts';
import { inSteps, yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { groupBy } from '#app/platform/group-by.ts';
import { categoryPath, postPath, tagPath } from '#app/posts/paths.ts';
import { readStoredFields } from '#app/posts/revision.ts';
import { ofKind, type ReleaseItemRow } from './check-release.server.ts';
import { readTexts } from './item-changes.ts';
import { addressWith } from './planned-addresses.server.ts';
import type { ReleaseWithItems } from './queries.server.ts';
import { isUnpublished } from './release.ts';

/** Another unpublished release that changes the same thing or wants the same address. */
export interface RivalRelease {
  id: string;
  name: string;
  /** The address that both want for different things; null if both change the same thing. */
  address: string | null;
}

const ofOpenRelease = (id: string) => ({
  releaseId: { not: id },
  release: isUnpublished,
});

/** Rows that are read in one turn of the event loop: without texts, and with whole texts. */
const ROWS_READ = 100;
const TEXTS_READ = 25;

const include = { release: { select: { id: true, name: true } } } as const;

/** The rivals of each change of a release, by the id of the change. */
export async function findRivals(
  { db }: Pick<App, 'db'>,
  { id, items }: Pick<ReleaseWithItems, 'id' | 'items'>,
): Promise<Map<string, RivalRelease[]>> {
  const same = await inSteps(items, ROWS_READ, (batch) =>
    db.releaseItem.findMany({
      where: { ...ofOpenRelease(id), subjectId: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { kind: true, subjectId: true, ...include },
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
      ...(sameAs.get(subjectOf(item)) ?? []).map(({ release }) => ({ ...release, address: null })),
      ...claimants
        .filter((other) => subjectOf(other) !== subjectOf(item))
        .map(({ release }) => ({ ...release, address: address! })),
    ];
    if (rivals.length > 0) rivalsByItem.set(item.id, rivals);
  }
  return rivalsByItem;
}

const subjectOf = ({ kind, subjectId }: Pick<ReleaseItemRow, 'kind' | 'subjectId'>) => `${kind} ${subjectId}`;

/** Changes of address in other releases: only such a change can conflict with something at that address. */
async function readAddressChanges(db: App['db'], id: string) {
  const moving = {
    ...ofOpenRelease(id),
    action: 'update',
    OR: [{ kind: 'redirect' }, { fields: { contains: '"slug"' } }],
  };
  const rows = await db.releaseItem.findMany({ where: moving, select: { id: true } });
  return inSteps(rows, TEXTS_READ, (batch) =>
    db.releaseItem.findMany({ where: { id: { in: batch.map((row) => row.id) } }, include }),
  );
}

/** The new addresses that changes want, by the id of the change. */
async function readNewAddresses(
  db: App['db'],
  items: readonly ReleaseItemRow[],
): Promise<Map<string, string>> {
  const updates = items.filter(({ action }) => action === 'update');
  const posts = await inSteps(ofKind(updates, 'post'), ROWS_READ, (batch) =>
    db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { id: true, slug: true },
    }),
  );
  const slugs = new Map(posts.map(({ id, slug }) => [id, slug]));
  const addresses = new Map<string, string>();
  for (const [index, { id, kind, subjectId, fields }] of updates.entries()) {
    if (index % TEXTS_READ === TEXTS_READ - 1) await yieldToEventLoop();
    const currentSlug = slugs.get(subjectId);
    const slug = kind === 'post' ? readStoredFields(fields)?.slug : readTexts(fields)?.slug;
    if (kind === 'redirect') addresses.set(id, subjectId);
    else if (!slug) continue;
    else if (kind === 'post' && currentSlug !== undefined)
      addresses.set(id, postPath(addressWith({ slug: currentSlug }, slug)));
    else if (kind === 'category' || kind === 'tag')
      addresses.set(id, (kind === 'category' ? categoryPath : tagPath)(slug));
  }
  return addresses;
}
