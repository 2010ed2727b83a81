import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { isReservedSegment } from '#app/platform/http/public-addresses.ts';
import { say } from '#app/platform/message.ts';
import { freeSlug, toSlug } from '#app/platform/text/slug.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { postPath } from '#app/posts/paths.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import { writeRedirect } from '#app/publishing/change/write-redirects.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { pathBelow } from './page-tree.server.ts';
import { shownTitle } from './shown-title.server.ts';

/** The fields that make a post's address. */
export const addressFields = ['slug', 'type', 'parentId'] as const;

export interface AddressClaim {
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
