import type { App } from '#app/app.ts';
import { categoryPath, postPath, tagPath } from '#app/posts/paths.ts';
import { readStoredFields } from '#app/posts/revision.ts';
import { addressWith, ofKind, type ReleaseItemRow } from './check-release.server.ts';
import { readTexts } from './item-changes.ts';
import type { ReleaseWithItems } from './queries.server.ts';

/** Another unpublished release that changes the same thing or wants the same address. */
export interface RivalRelease {
  id: string;
  name: string;
  /** The address that both want for different things; null: both change the same thing. */
  address: string | null;
}

const ofOpenRelease = (id: string) => ({
  releaseId: { not: id },
  release: { status: { in: ['draft', 'scheduled'] } },
});

/** The rivals of a release's changes, by the id of the change. */
export async function findRivals(
  { db }: Pick<App, 'db'>,
  { id, items }: Pick<ReleaseWithItems, 'id' | 'items'>,
): Promise<Map<string, RivalRelease[]>> {
  const include = { release: { select: { id: true, name: true } } } as const;
  const same = await db.releaseItem.findMany({
    where: { ...ofOpenRelease(id), subjectId: { in: items.map(({ subjectId }) => subjectId) } },
    include,
  });
  // Only a change of address can conflict with something at that address.
  const moving = await db.releaseItem.findMany({
    where: {
      ...ofOpenRelease(id),
      action: 'update',
      OR: [{ kind: 'redirect' }, { fields: { contains: '"slug"' } }],
    },
    include,
  });
  const addressOf = await readWantedAddresses(db, [...items, ...moving]);
  const found = new Map<string, RivalRelease[]>();
  for (const item of items) {
    const isSame = (other: ReleaseItemRow) => other.kind === item.kind && other.subjectId === item.subjectId;
    const address = addressOf.get(item.id);
    const rivals = [
      ...same.filter(isSame).map(({ release }) => ({ ...release, address: null })),
      ...moving
        .filter((other) => address !== undefined && addressOf.get(other.id) === address && !isSame(other))
        .map(({ release }) => ({ ...release, address: address! })),
    ];
    if (rivals.length > 0) found.set(item.id, rivals);
  }
  return found;
}

/** The new addresses that changes want, by the id of the change. */
async function readWantedAddresses(
  db: App['db'],
  items: readonly ReleaseItemRow[],
): Promise<Map<string, string>> {
  const updates = items.filter(({ action }) => action === 'update');
  const posts = await db.post.findMany({
    where: { id: { in: ofKind(updates, 'post').map(({ subjectId }) => subjectId) } },
    select: { id: true, slug: true },
  });
  const slugs = new Map(posts.map(({ id, slug }) => [id, slug]));
  const wanted = new Map<string, string>();
  for (const { id, kind, subjectId, fields } of updates) {
    const own = slugs.get(subjectId);
    const slug = kind === 'post' ? readStoredFields(fields)?.slug : readTexts(fields)?.slug;
    if (kind === 'redirect') wanted.set(id, subjectId);
    else if (!slug) continue;
    else if (kind === 'post' && own !== undefined) wanted.set(id, postPath(addressWith({ slug: own }, slug)));
    else if (kind === 'category' || kind === 'tag')
      wanted.set(id, (kind === 'category' ? categoryPath : tagPath)(slug));
  }
  return wanted;
}
