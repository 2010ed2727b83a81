import { type Actor, mayActOnPost, roles } from '#app/people/roles.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { isReservedSegment } from '#app/platform/http/public-addresses.ts';
import { say } from '#app/platform/message.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { freeSlug, toSlug } from '#app/platform/text/slug.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { postPath, ownSlug } from '#app/posts/paths.ts';
import { type PublicChange, writeRedirect } from '#app/publishing/change/public-change.server.ts';
import { DEPTH_MAX } from '#app/releases/planned-addresses.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** The fields that make a post's address. */
export const addressFields = ['slug', 'type', 'parentId'] as const;

interface AddressClaim {
  postId: string;
  fields: Pick<PostFields, 'type' | 'parentId' | 'slug' | 'title'>;
  /** The account that wants the address: errors show it no title of which it may not know. */
  editorId?: string | null;
  /** The present parent, which the account may keep. */
  parentBefore?: string | null;
  /** The editor agrees to take over an old address of another post. */
  takeOverSlug?: boolean;
  /** Pages that move elsewhere in the same change. */
  leaving?: ReadonlySet<string>;
}

/**
 * The address of a post or page, as its row stores it: a post's slug, a page's whole path. A blank slug is made from
 * the title and is unique. Old addresses of other posts count as taken unless the editor takes them over.
 * @throws AppError `invalid_input` on `slug` or `parentId`.
 */
export async function claimAddress(change: PublicChange, claim: AddressClaim): Promise<string> {
  const { tx } = change;
  const { postId, fields, editorId } = claim;
  await change.lockAddresses();
  const above = fields.type === 'page' ? await pathBelow(tx, { ...claim, parentId: fields.parentId }) : '';
  const settings = above === '/' ? await readSettings({ db: tx }) : null;
  const isReserved = (slug: string) => settings !== null && isReservedSegment(slug, settings);
  if (fields.slug === '') return addressFromTitle(tx, claim, above, isReserved);
  if (isReserved(fields.slug))
    throw fieldError(
      'slug',
      say('{path} is used by the site itself, so no page can have it. Choose another.', {
        path: `/${fields.slug}`,
      }),
    );
  const slug = above + fields.slug;
  const holder = await tx.post.findUnique({
    where: { slug },
    select: { id: true, title: true, status: true, authorId: true },
  });
  if (holder && holder.id !== postId) {
    const title = await shownTitle(tx, editorId, holder, postPath(slug));
    const text =
      holder.status === TRASHED
        ? 'The slug is used by “{title}”, which is in the trash. Choose another.'
        : 'The slug is used by “{title}”. Choose another.';
    throw fieldError('slug', say(text, { title }));
  }
  await claimOldAddress(change, claim, postPath(slug));
  return slug;
}

async function claimOldAddress(change: PublicChange, claim: AddressClaim, path: string): Promise<void> {
  const redirect = await change.tx.redirect.findUnique({ where: { path }, include: { post: true } });
  const isOthers = redirect !== null && redirect.postId !== claim.postId;
  const title = redirect?.post ? await shownTitle(change.tx, claim.editorId, redirect.post, path) : path;
  // A post in the trash keeps its addresses until it is purged.
  if (isOthers && redirect.post?.status === TRASHED)
    throw fieldError(
      'slug',
      say('The slug is an old address of “{title}”, which is in the trash. Choose another.', { title }),
    );
  if (isOthers && !claim.takeOverSlug) {
    const message = say(
      'The slug is an old address of “{title}”. Choose another, or take it over: its old links then redirect here.',
      { title },
    );
    const fields = { slug: [message], takeOverSlug: ['Reuse the old address'] };
    throw new AppError('invalid_input', message, { fields });
  }
  if (!redirect) return;
  await writeRedirect(change, path, null);
  change.affectsPaths(path);
}

/**
 * Redirects a post's old address to it permanently. The row names the post by id, so redirects never form a chain.
 */
export async function redirectOldPath(
  tx: Transaction,
  postId: string,
  oldSlug: string,
  newSlug: string,
  now: Date,
): Promise<void> {
  if (oldSlug === newSlug) return;
  const path = postPath(oldSlug);
  await tx.redirect.upsert({
    where: { path },
    create: { path, postId, createdAt: now },
    update: { postId, categoryId: null, tagId: null },
  });
}

async function addressFromTitle(
  tx: Transaction,
  { postId, fields }: AddressClaim,
  above: string,
  isReserved: (slug: string) => boolean,
): Promise<string> {
  const base = toSlug(fields.title) || fields.type;
  const posts = await tx.post.findMany({
    where: { slug: { startsWith: above + base }, id: { not: postId } },
    select: { slug: true },
  });
  const redirects = await tx.redirect.findMany({
    where: { path: { startsWith: postPath(above + base) }, NOT: { postId } },
    select: { path: true },
  });
  const taken = new Set([...posts.map(({ slug }) => postPath(slug)), ...redirects.map(({ path }) => path)]);
  return above + freeSlug(base, (slug) => isReserved(slug) || taken.has(postPath(above + slug)));
}

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

/** The account that makes a change; null or absent: a command or a trigger, which may know everything. */
type EditorId = string | null | undefined;

/** Whether the account that makes a change may know of a post: it is public, or the account may view it. */
export async function mayKnow(
  tx: Pick<Transaction, 'user'>,
  editorId: EditorId,
  post: { status: string; authorId: string | null },
): Promise<boolean> {
  if (post.status === isPublic.status || editorId == null) return true;
  const editor = await readEditor(tx, editorId);
  return editor !== null && mayActOnPost(editor, post, 'view');
}

/** The account that makes a change; null for a command, a trigger and an account that was deleted meanwhile. */
export async function readEditor(tx: Pick<Transaction, 'user'>, editorId: EditorId): Promise<Actor | null> {
  if (editorId == null) return null;
  const user = await tx.user.findUnique({ where: { id: editorId }, select: { id: true, role: true } });
  return user && { id: user.id, role: oneOf(roles, user.role) };
}

/** A post's title for an error message; `otherwise` for an account that may not know of the post. */
async function shownTitle(
  tx: Pick<Transaction, 'user'>,
  editorId: EditorId,
  post: { title: string; status: string; authorId: string | null },
  otherwise: string,
): Promise<string> {
  return (await mayKnow(tx, editorId, post)) ? post.title : otherwise;
}
