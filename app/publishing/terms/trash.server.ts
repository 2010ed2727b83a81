import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { termPath } from '#app/posts/paths.ts';
import { nameTerms, termTable, type TermKind } from '#app/posts/terms/find.server.ts';
import {
  forgetReleaseProblems,
  changeHidden,
  changePublicContent,
  type PublicChange,
  type PublishingContext,
  putIntoTrash,
} from '#app/publishing/change/public-change.server.ts';
import type { RestoredTerm } from '#app/publishing/change/text-changes.server.ts';
import { readTermDetails, type TermDetails } from '#app/publishing/change/trash-item.ts';
import { moveTermAddresses, publishedPostsOf, requireTerm } from './save.server.ts';

/** Posts per statement: databases limit the number of parameters. */
export const POSTS_PER_STATEMENT = 500;

/**
 * Moves a category or tag to the trash; its address stays reserved. A tag is removed from its posts. A category's posts
 * and addresses go to another category, or the posts have none (`heirId` null).
 * @throws AppError `not_found`; `invalid_input` on `heirId`.
 */
export async function trashTerm(
  app: PublishingContext,
  by: By,
  input: { kind: TermKind; id: string; heirId?: string | null },
): Promise<void> {
  const { kind, id, heirId = null } = input;
  await changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const term = await requireTerm(tx, kind, id);
    const heir = heirId === null ? null : await tx.category.findUnique({ where: { id: heirId } });
    if (heirId !== null && (!heir || heirId === id)) {
      throw fieldError('heirId', 'Choose the category that gets the posts.');
    }
    change.affects(...(await publishedPostsOf(tx, kind, id)));
    change.affectsEveryPage();
    const details = await detailsOf(tx, kind, term, heirId);
    change.recordTermChange({ kind: 'trashed_term', subjectId: id, termKind: kind, term: details });
    if (kind === 'category')
      await tx.post.updateMany({ where: { categoryId: id }, data: { categoryId: heirId, updatedAt: now } });
    if (heirId !== null) await moveTermAddresses(change, 'category', term, heirId);
    await termTable(tx, kind).delete({ where: { id } });
    const item = { id, kind, title: term.name, path: termPath[kind](term.slug) };
    const trash = { trashedById: by.userId, trashedAt: now, details: JSON.stringify(details) };
    await putIntoTrash(tx, { ...item, ...trash });
    const count = details.posts.length;
    await writeAudit(tx, app.clock, {
      action: `${kind}.trashed`,
      by,
      subject: term.name,
      details: count === 0 || kind === 'tag' ? '' : `${count} posts to ${heir?.name ?? 'no category'}`,
    });
  });
}

/** The details that are stored to restore a term. */
export async function detailsOf(
  tx: Transaction,
  kind: TermKind,
  term: { id: string; slug: string; name: string; description: string; picture: string; createdAt: Date },
  heirId: string | null,
): Promise<TermDetails> {
  const { id, slug, name, description, picture, createdAt } = term;
  const redirects = await tx.redirect.findMany({
    where: kind === 'category' ? { categoryId: id } : { tagId: id },
    select: { path: true },
  });
  const posts =
    kind === 'category'
      ? (await tx.post.findMany({ where: { categoryId: id }, select: { id: true } })).map((post) => ({
          postId: post.id,
          position: 0,
        }))
      : await tx.postTag.findMany({ where: { tagId: id }, select: { postId: true, position: true } });
  return {
    slug,
    name,
    description,
    picture,
    createdAt: createdAt.toISOString(),
    redirects: redirects.map(({ path }) => path),
    posts: posts.map(({ postId, position }) => [postId, position]),
    heirId,
  };
}

/**
 * Restores a category or tag from the trash, on the posts that had it. If somebody has created a term with the same name
 * meanwhile, the posts get that one; beside one of another name at its address it gets another slug. A post that now has another category keeps it.
 * @returns the term's id. @throws AppError `not_found`.
 */
export async function restoreTerm(
  app: PublishingContext,
  by: By,
  { kind, id }: { kind: TermKind; id: string },
): Promise<string> {
  return changePublicContent(app, async (change) => {
    const { tx } = change;
    const item = await tx.trashItem.findFirst({ where: trashEntries(kind, id) });
    const details = item && readTermDetails(item.details);
    if (!details) throw new AppError('not_found', `This ${kind} is not in the trash any more.`);
    await forgetReleaseProblems(tx);
    const { posts, ...as } = await recreateTerm(change, { kind, id, details });
    change.recordTermChange({
      kind: 'restored_term',
      subjectId: id,
      termKind: kind,
      term: details,
      as,
      posts,
    });
    await tx.trashItem.deleteMany({ where: trashEntries(kind, id) });
    await writeAudit(tx, app.clock, { action: `${kind}.restored`, by, subject: details.name });
    return as.id;
  });
}

/**
 * Creates a deleted term again.
 * @returns the term, or the one that has its name now; and the posts that got it, each with its former category
 */
export async function recreateTerm(
  { tx, now, affects, affectsEveryPage }: PublicChange,
  { kind, id, details }: { kind: TermKind; id: string; details: TermDetails },
): Promise<RestoredTerm['as'] & Pick<RestoredTerm, 'posts'>> {
  const { name, description, picture, createdAt } = details;
  const { id: livingId, slug } = await placeFor(tx, kind, details);
  const living = livingId === null ? null : await requireTerm(tx, kind, livingId);
  const term = living ?? { id, name };
  if (!living) {
    await tx.redirect.deleteMany({ where: { path: termPath[kind](slug) } });
    const row = { id, slug, name, description, picture, createdAt, updatedAt: now };
    await termTable(tx, kind).create({ data: row });
  }
  await bringAddressesBack(tx, kind, term.id, details, now);
  const posts: RestoredTerm['posts'] = [];
  for (const chunk of inChunks(details.posts, POSTS_PER_STATEMENT))
    posts.push(...(await returnPosts(tx, kind, term.id, details, chunk)));
  affects(...(await publishedPostsOf(tx, kind, term.id)));
  affectsEveryPage();
  return { id: term.id, name: term.name, posts };
}

/** The living term that a restored one becomes, or the slug that it gets. */
async function placeFor(
  tx: Transaction,
  kind: TermKind,
  { slug, name }: TermDetails,
): Promise<{ id: string | null; slug: string }> {
  const holder = await termTable(tx, kind).findUnique({ where: { slug } });
  if (!holder) return { id: null, slug };
  if (nameKey(holder.name) === nameKey(name)) return holder;
  return (await nameTerms(tx, kind, [name])).get(nameKey(name))!;
}

async function bringAddressesBack(
  tx: Transaction,
  kind: TermKind,
  termId: string,
  { redirects, heirId }: TermDetails,
  now: Date,
): Promise<void> {
  const target = kind === 'category' ? { categoryId: termId } : { tagId: termId };
  for (const path of redirects) {
    const taken = await tx.redirect.findUnique({ where: { path } });
    if (!taken) await tx.redirect.create({ data: { path, createdAt: now, ...target } });
    else if (heirId !== null && (taken.categoryId ?? taken.tagId) === heirId)
      await tx.redirect.update({ where: { path }, data: target });
  }
}

async function returnPosts(
  tx: Transaction,
  kind: TermKind,
  termId: string,
  { heirId }: TermDetails,
  chunk: TermDetails['posts'],
): Promise<RestoredTerm['posts']> {
  const ids = chunk.map(([postId]) => postId);
  if (kind === 'category') {
    // Only posts whose category nobody has changed since.
    const categoryId = { in: [null, heirId].filter((formerId) => formerId !== null) };
    const where = { id: { in: ids }, OR: [{ categoryId: null }, { categoryId }] };
    const unsorted = await tx.post.findMany({ where, select: { id: true, categoryId: true } });
    await tx.post.updateMany({ where, data: { categoryId: termId } });
    return unsorted.map((post) => [post.id, post.categoryId]);
  }
  const present = await tx.post.findMany({
    where: { id: { in: ids }, tags: { none: { tagId: termId } } },
    select: { id: true },
  });
  const positions = new Map(chunk);
  await tx.postTag.createMany({
    data: present.map(({ id }) => ({ postId: id, tagId: termId, position: positions.get(id) ?? 0 })),
  });
  return present.map(({ id }) => [id, null]);
}

/** Deletes a category or tag in the trash permanently. This frees its address. @throws AppError `not_found`. */
export async function purgeTerm(
  app: PublishingContext,
  by: By,
  { kind, id }: { kind: TermKind; id: string },
): Promise<void> {
  await changeHidden(app, async ({ tx }) => {
    const item = await tx.trashItem.findFirst({ where: trashEntries(kind, id) });
    if (!item) throw new AppError('not_found', `This ${kind} is not in the trash any more.`);
    await tx.trashItem.deleteMany({ where: trashEntries(kind, id) });
    await writeAudit(tx, app.clock, { action: `${kind}.deleted`, by, subject: item.title });
  });
}
