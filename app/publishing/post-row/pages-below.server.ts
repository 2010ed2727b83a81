import type { Transaction } from '#app/platform/database/client.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { ownSlug, postPath } from '#app/posts/paths.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import { writeRedirect } from '#app/publishing/change/write-redirects.server.ts';
import { redirectOldPath } from './addresses.server.ts';
import { shownTitle } from './shown-title.server.ts';

/** @throws AppError `invalid_input` on `type` while there are pages below. */
export async function requireNoPagesBelow(
  tx: Transaction,
  page: { id: string; slug: string },
  editorId: string | null,
): Promise<void> {
  // A page that has become a post still names its former parent.
  const below = await tx.post.findFirst({
    where: { parentId: page.id, type: 'page' },
    select: { title: true, status: true, authorId: true },
  });
  if (!below) return;
  const title = await shownTitle(tx, editorId, below, `${page.slug}/…`);
  throw fieldError(
    'type',
    say('“{title}” is below this page, so this page can’t become a post. Move it first.', { title }),
  );
}

/**
 * Moves the pages below a page with it. The old paths of published ones redirect to the new ones.
 * @param newPath of the page that they are below
 * @param write `leaving`: pages that move elsewhere in the same change: they never have an address below that path
 * @throws AppError `invalid_input` on `slug` when another page has the address of one of them, or a post in the trash
 *   had it.
 */
export async function movePagesBelow(
  change: PublicChange,
  postId: string,
  newPath: string,
  { leaving, editorId = null }: { leaving?: ReadonlySet<string>; editorId?: string | null } = {},
): Promise<void> {
  const { tx, now } = change;
  const below = await tx.post.findMany({
    where: { parentId: postId, type: 'page' },
    select: { id: true, slug: true, hasBeenPublic: true },
    orderBy: { id: 'asc' },
  });
  for (const page of below) {
    const slug = `${newPath}/${ownSlug(page.slug)}`;
    if (slug === page.slug || leaving?.has(page.id)) continue;
    const holder = await tx.post.findUnique({ where: { slug }, select: { id: true } });
    if (holder && holder.id !== page.id)
      throw fieldError(
        'slug',
        say('Another page has the address {path}. Choose another slug.', { path: slug }),
      );
    const redirect = await tx.redirect.findUnique({
      where: { path: postPath(slug) },
      include: { post: true },
    });
    // A post in the trash keeps its addresses until it is purged.
    if (redirect?.post?.status === TRASHED && redirect.postId !== page.id) {
      const title = await shownTitle(tx, editorId, redirect.post, postPath(slug));
      throw fieldError(
        'slug',
        say('The address {path} redirects to “{title}”, which is in the trash. Choose another slug.', {
          path: slug,
          title,
        }),
      );
    }
    // The page now has this address, so a redirect from it is deleted.
    await writeRedirect(change, slug, null);
    await tx.post.update({ where: { id: page.id }, data: { slug, contentUpdatedAt: now } });
    if (page.hasBeenPublic) await redirectOldPath(tx, page.id, page.slug, slug, now);
    change.affectsWritten(page.id);
    await movePagesBelow(change, page.id, slug, { leaving, editorId });
  }
}
