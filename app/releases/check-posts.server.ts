import { isReservedSegment } from '#app/platform/http/public-addresses.ts';
import { inSteps, inTurns, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { about, say, type Message } from '#app/platform/message.ts';
import { isUntitled, TRASHED } from '#app/posts/fields/states.ts';
import { isPublic } from '#app/posts/lists/queries.server.ts';
import { postPath, ownSlug } from '#app/posts/paths.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { ItemProblem, ReleaseItemRow } from './items.ts';
import type { TextReader } from './live-texts.server.ts';
import {
  checkedPostColumns,
  leaveWithoutFormerParent,
  namesAddress,
  PlannedAddresses,
  readAddressChange,
  type AddressChange,
  type CheckedPost,
  isTooDeep,
} from './planned-addresses.server.ts';

/** Rows of posts by their ids. */
type Posts = ReadonlyMap<string, CheckedPost>;
/** Changes of addresses by the ids of their posts. */
type Changes = ReadonlyMap<string, AddressChange>;

/** A post of a release and the stored slug that it gets. */
interface NewAddress {
  item: ReleaseItemRow;
  post: CheckedPost;
  slug: string;
}

/**
 * The problems of the changes of posts.
 * @param publishAt as `checkItems`
 * @param redirects the redirects that the release changes, by their paths: true for one that leads somewhere
 */
export async function checkPosts(
  db: TextReader,
  items: readonly ReleaseItemRow[],
  publishAt: Date | null,
  redirects: ReadonlyMap<string, boolean>,
): Promise<ItemProblem[]> {
  if (items.length === 0) return [];
  const posts = await readPosts(db, items);
  const { changes, problems: unreadable } = await readChanges(items, posts);
  await leaveWithoutFormerParent(db, changes);
  const { newAddresses, problems: impossible } = await planAddresses(db, items, posts, changes);
  const { named, leaving, becomingPosts } = readMoves(items, posts, changes);
  const checked = new Set([...named, ...impossible.map(({ postId }) => postId)]);
  const pages = newAddresses
    .filter(({ post, slug }) => post.type === 'page' && slug !== post.slug)
    .map(({ item, post: { id, title }, slug }) => ({ itemId: item.id, id, title, slug }));
  return [
    ...unreadable,
    ...checkDrafts(items, posts, publishAt),
    ...impossible.map(({ problem }) => problem),
    ...(await checkAddresses(db, newAddresses, redirects)),
    ...(await checkPagesBelow(db, pages, checked)),
    ...(await checkBecomingPosts(db, becomingPosts, leaving)),
  ];
}

async function readPosts(db: TextReader, items: readonly ReleaseItemRow[]): Promise<Posts> {
  const rows = await inSteps(items, ROWS_A_STEP, (batch) =>
    db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: checkedPostColumns,
    }),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The changes of addresses, and the problems of items that can change nothing. */
async function readChanges(
  items: readonly ReleaseItemRow[],
  posts: Posts,
): Promise<{ changes: Map<string, AddressChange>; problems: ItemProblem[] }> {
  const changes = new Map<string, AddressChange>();
  const problems: ItemProblem[] = [];
  // Parsing takes long: a stored change contains whole texts.
  for await (const item of inTurns(items)) {
    const post = posts.get(item.subjectId);
    const isGone = !post || post.status === TRASHED;
    const change = isGone ? null : readAddressChange(item, post);
    const report = (problem: Message) => problems.push({ itemId: item.id, problem });
    if (change) changes.set(post!.id, change);
    else if (!isGone) report(say('The change of “{title}” can’t be read.', { title: post.title }));
    else if (item.action !== 'restore')
      report(
        post
          ? say('“{title}” is in the trash.', { title: post.title })
          : 'A post in this release was deleted.',
      );
  }
  return { changes, problems };
}

/**
 * The drafts that the editor would not publish either: without a title, or with an archive time that has passed by then,
 * so that the next trigger would archive them.
 */
function checkDrafts(items: readonly ReleaseItemRow[], posts: Posts, publishAt: Date | null): ItemProblem[] {
  return items.flatMap(({ id: itemId, subjectId, action }) => {
    const post = posts.get(subjectId);
    if (action !== 'publish' || post?.status !== 'draft') return [];
    const isOver = publishAt && post.archiveAt && post.archiveAt <= publishAt;
    const reason =
      (isUntitled(post, post) && say('{label} is required.', { label: say('Title') })) ||
      (isOver && 'Archive time must be after the publication time.');
    return reason ? [{ itemId, problem: about(`“${post.title}”`, reason) }] : [];
  });
}

/** The addresses that posts get or become public at, and those that are impossible. */
async function planAddresses(
  db: TextReader,
  items: readonly ReleaseItemRow[],
  posts: Posts,
  changes: Changes,
): Promise<{ newAddresses: NewAddress[]; problems: { postId: string; problem: ItemProblem }[] }> {
  const addresses = new PlannedAddresses(db, posts, changes);
  const newAddresses: NewAddress[] = [];
  const problems: { postId: string; problem: ItemProblem }[] = [];
  for (const item of items) {
    const [post, change] = [posts.get(item.subjectId), changes.get(item.subjectId)];
    // A blank slug is made from the title, and is always free.
    if (!post || !change || change.slug === '') continue;
    const slug = await addresses.of(post);
    const becomesPublic = change.status === isPublic.status && post.status !== isPublic.status;
    if (typeof slug !== 'string') problems.push({ postId: post.id, problem: { itemId: item.id, ...slug } });
    else if (slug === post.slug ? becomesPublic : namesAddress(post, change))
      newAddresses.push({ item, post, slug });
  }
  return { newAddresses, problems };
}

/**
 * The posts whose addresses the release names, those of them that leave the page above them, and the pages that become
 * posts with their items.
 */
function readMoves(
  items: readonly ReleaseItemRow[],
  posts: Posts,
  changes: Changes,
): { named: Set<string>; leaving: Set<string>; becomingPosts: Map<string, string> } {
  const named = new Set<string>();
  const leaving = new Set<string>();
  const becomingPosts = new Map<string, string>();
  for (const item of items) {
    const [post, change] = [posts.get(item.subjectId), changes.get(item.subjectId)];
    if (!post || !change || !namesAddress(post, change)) continue;
    named.add(post.id);
    const isElsewhere = change.parentId !== undefined && change.parentId !== post.parentId;
    if (isElsewhere || change.type === 'post') leaving.add(post.id);
    if (post.type === 'page' && change.type === 'post') becomingPosts.set(post.id, item.id);
  }
  return { named, leaving, becomingPosts };
}

/** The addresses that something else has. */
async function checkAddresses(
  db: TextReader,
  newAddresses: readonly NewAddress[],
  changedRedirects: ReadonlyMap<string, boolean>,
): Promise<ItemProblem[]> {
  if (newAddresses.length === 0) return [];
  const settings = await readSettings({ db });
  const slugs = newAddresses.map(({ slug }) => slug);
  const holders = await inSteps(slugs, ROWS_A_STEP, (batch) =>
    db.post.findMany({ where: { slug: { in: batch } }, select: { id: true, slug: true, title: true } }),
  );
  const redirects = await inSteps(slugs, ROWS_A_STEP, (batch) =>
    db.redirect.findMany({ where: { path: { in: batch.map(postPath) } } }),
  );
  const holderAt = new Map(holders.map((holder) => [holder.slug, holder]));
  const redirectAt = new Map(redirects.map((redirect) => [redirect.path, redirect]));
  const firstOf = new Map<string, string>();
  const problems: ItemProblem[] = [];
  for (const { item, post, slug } of newAddresses) {
    const path = postPath(slug);
    const holder = holderAt.get(slug);
    const wanted = changedRedirects.get(path);
    const redirect = wanted === undefined ? redirectAt.get(path) : undefined;
    const earlier = firstOf.get(slug);
    firstOf.set(slug, earlier ?? post.title);
    const isReserved =
      slug !== post.slug && /^\/[^/]+$/.test(slug) && isReservedSegment(slug.slice(1), settings);
    const values = { title: post.title, path };
    const conflict =
      (isReserved && say('“{title}”: the address {path} is used by the site itself.', values)) ||
      (holder &&
        holder.id !== post.id &&
        say('“{title}”: the address {path} is used by “{other}”.', { ...values, other: holder.title })) ||
      (wanted && say('“{title}”: the address {path} redirects elsewhere in this release.', values)) ||
      (redirect &&
        redirect.postId !== post.id &&
        say('“{name}”: the address {path} already redirects to something else.', {
          name: post.title,
          path,
        })) ||
      (earlier !== undefined &&
        say('“{title}”: the address {path} is also used by “{other}” in this release.', {
          ...values,
          other: earlier,
        }));
    if (conflict) problems.push({ itemId: item.id, problem: conflict });
  }
  return problems;
}

/** A page that a release gives another address. */
export interface MovedPage {
  itemId: string;
  id: string;
  title: string;
  /** The address that it gets. */
  slug: string;
}

interface PageBelow extends MovedPage {
  status: string;
  /** The moved page that it is below. */
  moved: MovedPage;
}

/**
 * What is at the addresses that pages get because a page above them moves. An address whose holder moves with the same
 * release may be free by then, so only the publication checks it.
 * @param checked posts whose own addresses are checked elsewhere: the release names them
 */
async function checkPagesBelow(
  db: TextReader,
  pages: readonly MovedPage[],
  checked: ReadonlySet<string>,
): Promise<{ itemId: string; problem: Message }[]> {
  const below = await readPagesBelow(db, pages, checked);
  if (below.length === 0) return [];
  const slugs = below.map(({ slug }) => slug);
  const holders = await db.post.findMany({
    where: { slug: { in: slugs } },
    select: { id: true, slug: true, title: true },
  });
  const redirects = await db.redirect.findMany({
    where: { path: { in: slugs.map(postPath) }, post: { status: TRASHED } },
    select: { path: true, postId: true, post: { select: { title: true } } },
  });
  const moving = new Set([...pages, ...below].map(({ id }) => id));
  const holderOf = new Map(holders.map((holder) => [holder.slug, holder]));
  const trashedAt = new Map(redirects.map((redirect) => [redirect.path, redirect]));
  const wantedBy = new Map(pages.map((page) => [page.slug, page]));
  const problems: { itemId: string; problem: Message }[] = [];
  for (const { id, slug, title, moved } of below) {
    const { itemId, title: page } = moved;
    const report = (problem: Message) => problems.push({ itemId, problem });
    const holder = holderOf.get(slug);
    const trashed = trashedAt.get(postPath(slug));
    const rival = wantedBy.get(slug);
    const named = { page, below: title, path: slug };
    if (rival)
      problems.push({
        itemId: rival.itemId,
        problem: say('“{title}”: the address {path} is also used by “{other}” in this release.', {
          title: rival.title,
          path: slug,
          other: title,
        }),
      });
    else if (isTooDeep(slug)) report(say('“{page}”: “{below}” below it would be too deep at {path}.', named));
    else if (holder && !moving.has(holder.id))
      report(
        say('“{page}”: “{below}” below it would get the address {path} of “{other}”.', {
          ...named,
          other: holder.title,
        }),
      );
    else if (trashed?.post && trashed.postId !== id)
      report(
        say(
          '“{page}”: “{below}” can’t move to {path}: that address redirects to “{other}”, which is in the trash.',
          { ...named, other: trashed.post.title },
        ),
      );
  }
  return problems;
}

/**
 * All pages below the moved ones, each with its new address. Pages are at most three deep.
 * @param checked pages that are left out
 */
export async function readPagesBelow(
  db: TextReader,
  pages: readonly MovedPage[],
  checked: ReadonlySet<string> = new Set(),
): Promise<PageBelow[]> {
  const found: PageBelow[] = [];
  const moved = new Set([...checked, ...pages.map(({ id }) => id)]);
  let level: PageBelow[] = pages.map((page) => ({ ...page, status: '', moved: page }));
  while (level.length > 0) {
    const above = new Map(level.map((page) => [page.id, page]));
    const rows = await db.post.findMany({
      where: { parentId: { in: [...above.keys()] }, type: 'page' },
      select: { id: true, slug: true, title: true, status: true, parentId: true },
      orderBy: { id: 'asc' },
    });
    level = rows
      // A page that the release moves itself ends at its own new address.
      .filter(({ id }) => !moved.has(id))
      .map(({ id, slug, title, status, parentId }) => {
        const parent = above.get(parentId!)!;
        moved.add(id);
        return { ...parent, id, title, status, slug: `${parent.slug}/${ownSlug(slug)}` };
      });
    found.push(...level);
  }
  return found;
}

/**
 * Which page stays below a page that becomes a post.
 * @param becoming items by the id of the page
 * @param leaving pages that the release moves elsewhere or makes posts
 */
async function checkBecomingPosts(
  db: TextReader,
  becoming: ReadonlyMap<string, string>,
  leaving: ReadonlySet<string>,
): Promise<{ itemId: string; problem: Message; field: 'type' }[]> {
  if (becoming.size === 0) return [];
  const below = await db.post.findMany({
    where: { parentId: { in: [...becoming.keys()] }, type: 'page' },
    select: { id: true, title: true, parentId: true },
    orderBy: { id: 'asc' },
  });
  return below
    .filter(({ id }) => !leaving.has(id))
    .map(({ title, parentId }) => ({
      itemId: becoming.get(parentId!)!,
      problem: say('“{title}” is below this page, so this page can’t become a post. Move it first.', {
        title,
      }),
      field: 'type',
    }));
}
