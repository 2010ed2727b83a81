import { say, type Message } from '#app/platform/message.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { ownSlug, postPath } from '#app/posts/paths.ts';
import type { TextReader } from './live-texts.server.ts';
import { isTooDeep } from './planned-addresses.server.ts';

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
export async function checkPagesBelow(
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
    const { itemId } = moved;
    const holder = holderOf.get(slug);
    const trashed = trashedAt.get(postPath(slug));
    const rival = wantedBy.get(slug);
    if (rival)
      problems.push({
        itemId: rival.itemId,
        problem: say('“{title}”: the address {path} is also used by “{other}” in this release.', {
          title: rival.title,
          path: slug,
          other: title,
        }),
      });
    else if (isTooDeep(slug))
      problems.push({
        itemId,
        problem: say('“{page}”: “{below}” below it would be too deep at {path}.', {
          page: moved.title,
          below: title,
          path: slug,
        }),
      });
    else if (holder && !moving.has(holder.id))
      problems.push({
        itemId,
        problem: say('“{page}”: “{below}” below it would get the address {path} of “{other}”.', {
          page: moved.title,
          below: title,
          path: slug,
          other: holder.title,
        }),
      });
    else if (trashed?.post && trashed.postId !== id)
      problems.push({
        itemId,
        problem: say(
          '“{page}”: “{below}” can’t move to {path}: that address redirects to “{other}”, which is in the trash.',
          { page: moved.title, below: title, path: slug, other: trashed.post.title },
        ),
      });
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
export async function checkBecomingPosts(
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
