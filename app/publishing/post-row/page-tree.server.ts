import type { Transaction } from '#app/platform/database/client.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { DEPTH_MAX } from '#app/releases/planned-addresses.server.ts';
import { mayKnow } from './shown-title.server.ts';

type Reader = Pick<Transaction, 'post' | 'user'>;

/**
 * The beginning of a page's path: `/`, or its parent's path and `/`.
 * @param page.leaving pages that move elsewhere in the same change: below this page, they count no more
 * @param page.editorId may choose only a parent of which the account may know, or keep `parentBefore`
 * @throws AppError `invalid_input` on `parentId` when the parent is not a page, is the page itself or below it, or when
 *   the path would get too deep.
 */
export async function pathBelow(
  tx: Reader,
  page: {
    postId: string;
    parentId: string | null;
    parentBefore?: string | null;
    editorId?: string | null;
    leaving?: ReadonlySet<string>;
  },
): Promise<string> {
  const { postId, parentId, leaving } = page;
  if (parentId === null) return '/';
  const parent = await findPage(tx, parentId);
  const isKnown = parent && (parentId === page.parentBefore || (await mayKnow(tx, page.editorId, parent)));
  if (!parent || !isKnown || parent.status === TRASHED)
    throw fieldError('parentId', 'This page no longer exists. Choose another parent.');
  let above: PageAbove | null = parent;
  // Bounded: two crossing moves could have put pages below each other.
  for (let level = 0; above && level < DEPTH_MAX; level += 1) {
    if (above.id === postId) throw fieldError('parentId', 'A page can’t be its own parent.');
    above = await findPage(tx, above.parentId);
  }
  const depth = parent.slug.split('/').length - 1 + (await heightOf(tx, postId, leaving));
  if (depth > DEPTH_MAX)
    throw fieldError(
      'parentId',
      say('Pages can be at most {most} deep. Choose a parent further up.', { most: DEPTH_MAX }),
    );
  return `${parent.slug}/`;
}

interface PageAbove {
  id: string;
  slug: string;
  parentId: string | null;
  status: string;
  authorId: string | null;
}

async function findPage(tx: Reader, id: string | null): Promise<PageAbove | null> {
  if (id === null) return null;
  return tx.post.findUnique({
    where: { id, type: 'page' },
    select: { id: true, slug: true, parentId: true, status: true, authorId: true },
  });
}

/** Levels of the pages from this one downwards: 1 if no page is below it. */
async function heightOf(tx: Reader, postId: string, leaving?: ReadonlySet<string>): Promise<number> {
  let height = 1;
  let level = [postId];
  while (height <= DEPTH_MAX) {
    const below = await tx.post.findMany({
      where: { parentId: { in: level }, type: 'page' },
      select: { id: true },
    });
    level = below.map(({ id }) => id).filter((id) => !leaving?.has(id));
    if (level.length === 0) break;
    height += 1;
  }
  return height;
}
