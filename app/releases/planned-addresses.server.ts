import type { Prisma } from '#app/platform/database/client.server.ts';
import { say, type Message } from '#app/platform/message.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { readStoredFields, sameValue } from '#app/posts/fields/stored.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { readPostUndo, type ReleaseItemRow } from './items.ts';
import type { TextReader } from './live-texts.server.ts';

/** The largest number of pages in one path. */
export const DEPTH_MAX = 3;

export const checkedPostColumns = {
  ...{ id: true, type: true, slug: true, title: true, status: true, parentId: true, archiveAt: true },
  ...{ slugFollowsTitle: true, hasBeenPublic: true },
} as const;

export type CheckedPost = Prisma.PostGetPayload<{ select: typeof checkedPostColumns }>;

/** What a release changes of a post's address, and whether it makes the post public. */
export interface AddressChange {
  slug?: string;
  parentId?: string | null;
  type?: string;
  /** The state after the release; absent: unchanged. */
  status?: string;
  /** True for a rollback: the parent is a former one. */
  goesBack?: true;
}

/** The change of a post's address by an item of a release; null when the item cannot be read. */
export function readAddressChange(item: ReleaseItemRow, post: CheckedPost): AddressChange | null {
  switch (item.action) {
    case 'publish':
      return { status: 'published' };
    case 'update': {
      const fields = readStoredFields(item.fields);
      return fields && { slug: fields.slug, parentId: fields.parentId, type: fields.type };
    }
    case 'restore': {
      const undo = readPostUndo(item.fields);
      if (!undo) return null;
      const { before, after } = undo;
      // Only what nobody has changed since: otherwise the rollback does not change it either.
      const isUnchanged = (name: 'slug' | 'parentId' | 'type', live: string | null) =>
        sameValue(before.fields[name] ?? null, live);
      return {
        slug: isUnchanged('slug', ownSlug(post.slug)) ? after.fields.slug : undefined,
        parentId: isUnchanged('parentId', post.parentId) ? after.fields.parentId : undefined,
        type: isUnchanged('type', post.type) ? after.fields.type : undefined,
        status: post.status === before.status ? after.status : undefined,
        goesBack: true,
      };
    }
    default:
      return {};
  }
}

/** Leaves the pages where they are that a rollback would put below a page which was deleted since. */
export async function leaveWithoutFormerParent(
  db: TextReader,
  changes: Map<string, AddressChange>,
): Promise<void> {
  for (const [id, { parentId, ...change }] of changes)
    if (change.goesBack && parentId && (await isDeleted(db, parentId))) changes.set(id, change);
}

/** True for a post that is in the trash or was purged. */
export async function isDeleted(db: TextReader, id: string): Promise<boolean> {
  const row = await db.post.findUnique({ where: { id }, select: { status: true } });
  return !row || row.status === TRASHED;
}

/** True if a change gives the post another address by itself. Otherwise a page only moves with one above it. */
export function namesAddress(post: CheckedPost, change: AddressChange): boolean {
  const { slug = ownSlug(post.slug), parentId = post.parentId, type = post.type } = change;
  return slug !== ownSlug(post.slug) || parentId !== post.parentId || type !== post.type;
}

/** Why a post cannot have an address, and the field of its form that is wrong. */
export interface AddressProblem {
  problem: Message;
  field: 'parentId';
}

/** The addresses that posts have after a release. A page also moves with a page above it. */
export class PlannedAddresses {
  readonly #db: TextReader;
  readonly #changes: ReadonlyMap<string, AddressChange>;
  readonly #rows: Map<string, CheckedPost | null>;

  /** @param changes by the id of the post; `posts`: the rows of these */
  constructor(
    db: TextReader,
    posts: ReadonlyMap<string, CheckedPost>,
    changes: ReadonlyMap<string, AddressChange>,
  ) {
    this.#db = db;
    this.#rows = new Map(posts);
    this.#changes = changes;
  }

  /** The stored slug of a post, or why it cannot have one. `below`: the pages below it that wait for the answer. */
  async of(post: CheckedPost, below: readonly string[] = []): Promise<string | AddressProblem> {
    const change = this.#changes.get(post.id) ?? {};
    const own = change.slug ?? ownSlug(post.slug);
    if ((change.type ?? post.type) !== 'page') return own;
    const { parentId = post.parentId } = change;
    if (parentId === null) return `/${own}`;
    const pages = [...below, post.id];
    const problemOfParent = (problem: Message): AddressProblem => ({ problem, field: 'parentId' });
    if (pages.includes(parentId))
      return problemOfParent(say('“{title}”: a page can’t be its own parent.', { title: post.title }));
    const parent = await this.#page(parentId);
    if (!parent)
      return parentId === post.parentId
        ? addressWith(post, own)
        : problemOfParent(say('“{title}”: its new parent no longer exists.', { title: post.title }));
    const above = await this.of(parent, pages);
    if (typeof above !== 'string') return above;
    const address = `${above}/${own}`;
    return address !== post.slug && isTooDeep(address)
      ? problemOfParent(
          say('“{title}”: pages can be at most {most} deep.', { title: post.title, most: DEPTH_MAX }),
        )
      : address;
  }

  async #page(id: string): Promise<CheckedPost | null> {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = await this.#db.post.findUnique({ where: { id }, select: checkedPostColumns });
      this.#rows.set(id, row);
    }
    const type = this.#changes.get(id)?.type ?? row?.type;
    return row && row.status !== TRASHED && type === 'page' ? row : null;
  }
}

/** The stored slug for a post's own slug: that of a page begins with its parent's. */
function addressWith(post: Pick<CheckedPost, 'slug'>, slug: string): string {
  return post.slug.slice(0, post.slug.lastIndexOf('/') + 1) + slug;
}

/** True when a page's path has more pages than are possible. */
export function isTooDeep(slug: string): boolean {
  return slug.split('/').length - 1 > DEPTH_MAX;
}
