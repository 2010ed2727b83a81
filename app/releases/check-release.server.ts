import type { Prisma } from '#app/platform/database.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { inSteps, yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { isReservedSegment } from '#app/platform/public-addresses.ts';
import { checkSiteAddresses } from '#app/posts/check-site-addresses.server.ts';
import { postPath } from '#app/posts/paths.ts';
import { isPublic } from '#app/posts/queries.server.ts';
import { TRASHED } from '#app/posts/states.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { checkBecomingPosts, checkPagesBelow } from './check-pages-below.server.ts';
import { checkTerms } from './check-terms.server.ts';
import { readTexts } from './item-changes.ts';
import { addressOfTarget, holderOf, readLiveTexts, type TextReader } from './live-texts.server.ts';
import {
  checkedPostColumns,
  leaveWithoutFormerParent,
  namesAddress,
  PlannedAddresses,
  readAddressChange,
  type AddressChange,
  type CheckedPost,
} from './planned-addresses.server.ts';
import { isReleasable, isSettingKey } from './setting-key.ts';

/** Rows that are looked up in one turn of the event loop. */
const ROWS_READ = 100;
/** Stored changes that are read in one turn of the event loop. */
const ITEMS_READ = 50;

export type ReleaseItemRow = Prisma.ReleaseItemGetPayload<object>;

/** Why one change of a release cannot be published. */
export interface ItemProblem {
  itemId: string;
  problem: string;
  /** The field of the post's form that is wrong; absent: the address as a whole, or none. */
  field?: 'parentId' | 'type';
}

/**
 * The problems that prevent publishing these changes now.
 * @param publishAt when they are published; null: the times of posts are not checked
 */
export async function checkItems(
  db: TextReader,
  items: readonly ReleaseItemRow[],
  publishAt: Date | null,
): Promise<ItemProblem[]> {
  const problems = [
    ...(await checkPosts(db, ofKind(items, 'post'), publishAt)),
    ...(await checkSettings(db, ofKind(items, 'setting'))),
    ...(await checkTerms(db, 'category', ofKind(items, 'category'))),
    ...(await checkTerms(db, 'tag', ofKind(items, 'tag'))),
    ...(await checkAuthors(db, ofKind(items, 'author'))),
    ...(await checkRedirects(db, ofKind(items, 'redirect'))),
  ];
  const order = new Map(items.map(({ id }, index) => [id, index]));
  return problems.sort((a, b) => order.get(a.itemId)! - order.get(b.itemId)!);
}

/** The problems as one line of text; `''` for no problems. */
export function summariseProblems(problems: readonly ItemProblem[]): string {
  const [first, ...others] = problems;
  if (!first) return '';
  return others.length === 0 ? first.problem : `${first.problem} And ${others.length} more.`;
}

export function ofKind(items: readonly ReleaseItemRow[], ...kinds: string[]): ReleaseItemRow[] {
  return items.filter(({ kind }) => kinds.includes(kind));
}

/** A post of a release and the stored slug that it gets. */
interface NewAddress {
  item: ReleaseItemRow;
  post: CheckedPost;
  slug: string;
}

async function checkPosts(
  db: TextReader,
  items: ReleaseItemRow[],
  publishAt: Date | null,
): Promise<ItemProblem[]> {
  if (items.length === 0) return [];
  const rows = await inSteps(items, ROWS_READ, (batch) =>
    db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: checkedPostColumns,
    }),
  );
  const posts = new Map(rows.map((row) => [row.id, row]));
  const problems: ItemProblem[] = [];
  const changes = new Map<string, AddressChange>();
  for (const [index, item] of items.entries()) {
    // Parsing takes long: a stored change contains whole texts.
    if (index % ITEMS_READ === ITEMS_READ - 1) await yieldToEventLoop();
    const post = posts.get(item.subjectId);
    const isGone = !post || post.status === TRASHED;
    const change = isGone ? null : readAddressChange(item, post);
    if (change) changes.set(post!.id, change);
    else if (!isGone)
      problems.push({ itemId: item.id, problem: `The change of “${post.title}” can’t be read.` });
    else if (item.action !== 'restore')
      problems.push({
        itemId: item.id,
        problem: post ? `“${post.title}” is in the trash.` : 'A post in this release was deleted.',
      });
    // The next trigger would archive it. The editor does not publish such a draft either.
    const isOver = publishAt && post?.archiveAt && post.archiveAt <= publishAt;
    if (item.action === 'publish' && post?.status === 'draft' && isOver)
      problems.push({
        itemId: item.id,
        problem: `“${post.title}”: Archive time must be after the publication time.`,
      });
  }
  await leaveWithoutFormerParent(db, changes);
  const addresses = new PlannedAddresses(db, posts, changes);
  const newAddresses: NewAddress[] = [];
  const checkedHere = new Set<string>();
  const leaving = new Set<string>();
  const becomingPosts = new Map<string, string>();
  for (const item of items) {
    const [post, change] = [posts.get(item.subjectId), changes.get(item.subjectId)];
    const isNamed = post && change && namesAddress(post, change);
    if (isNamed) checkedHere.add(post.id);
    const isElsewhere = isNamed && change.parentId !== undefined && change.parentId !== post.parentId;
    if (isElsewhere || (isNamed && change.type === 'post')) leaving.add(post.id);
    if (isNamed && post.type === 'page' && change.type === 'post') becomingPosts.set(post.id, item.id);
    // A blank slug is made from the title, and is always free.
    if (!post || !change || change.slug === '') continue;
    const slug = await addresses.of(post);
    const becomesPublic = change.status === isPublic.status && post.status !== isPublic.status;
    if (typeof slug !== 'string') {
      problems.push({ itemId: item.id, ...slug });
      checkedHere.add(post.id);
    } else if (slug === post.slug ? becomesPublic : isNamed) newAddresses.push({ item, post, slug });
  }
  const pages = newAddresses
    .filter(({ post, slug }) => post.type === 'page' && slug !== post.slug)
    .map(({ item, post: { id, title }, slug }) => ({ itemId: item.id, id, title, slug }));
  return [
    ...problems,
    ...(await checkAddresses(db, newAddresses)),
    ...(await checkPagesBelow(db, pages, checkedHere)),
    ...(await checkBecomingPosts(db, becomingPosts, leaving)),
  ];
}

async function checkAddresses(db: TextReader, newAddresses: NewAddress[]): Promise<ItemProblem[]> {
  if (newAddresses.length === 0) return [];
  const settings = await readSettings({ db });
  const slugs = newAddresses.map(({ slug }) => slug);
  const holders = await inSteps(slugs, ROWS_READ, (batch) =>
    db.post.findMany({ where: { slug: { in: batch } }, select: { id: true, slug: true, title: true } }),
  );
  const redirects = await inSteps(slugs, ROWS_READ, (batch) =>
    db.redirect.findMany({ where: { path: { in: batch.map(postPath) } } }),
  );
  const holderAt = new Map(holders.map((holder) => [holder.slug, holder]));
  const redirectAt = new Map(redirects.map((redirect) => [redirect.path, redirect]));
  const firstOf = new Map<string, string>();
  const problems: ItemProblem[] = [];
  for (const { item, post, slug } of newAddresses) {
    const path = postPath(slug);
    const holder = holderAt.get(slug);
    const redirect = redirectAt.get(path);
    const earlier = firstOf.get(slug);
    firstOf.set(slug, earlier ?? post.title);
    const isReserved =
      slug !== post.slug && /^\/[^/]+$/.test(slug) && isReservedSegment(slug.slice(1), settings);
    const conflict =
      (isReserved && 'is used by the site itself') ||
      (holder && holder.id !== post.id && `is used by “${holder.title}”`) ||
      (redirect && redirect.postId !== post.id && 'is an old address of something else and leads there') ||
      (earlier !== undefined && `is wanted by “${earlier}” in this release, too`);
    if (conflict)
      problems.push({ itemId: item.id, problem: `“${post.title}”: the address ${path} ${conflict}.` });
  }
  return problems;
}

async function checkSettings(db: TextReader, items: ReleaseItemRow[]): Promise<ItemProblem[]> {
  const problems: ItemProblem[] = [];
  const texts = new Map<string, string>();
  for (const { id: itemId, subjectId, fields, action } of items) {
    if (action === 'restore') continue;
    const value = readTexts(fields)?.value;
    if (!isSettingKey(subjectId) || !isReleasable(subjectId) || typeof value !== 'string') {
      problems.push({ itemId, problem: `The setting ${subjectId} can’t be changed by a release.` });
      continue;
    }
    const { schema, label } = definitionOf(subjectId);
    const parsed = schema.safeParse(value);
    if (parsed.success) texts.set(subjectId, value);
    else problems.push({ itemId, problem: `${label}: ${parsed.error.issues[0]!.message}` });
  }
  if (texts.size === 0) return problems;
  try {
    await checkSiteAddresses(db, await readSettings({ db }), Object.fromEntries(texts));
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid_input') throw error;
    // The settings must still fit the pages and each other: the home page may be deleted, an address taken.
    for (const [key, [message]] of Object.entries(error.fields)) {
      const item = items.find(({ subjectId }) => subjectId === key);
      const label = isSettingKey(key) ? definitionOf(key).label : key;
      if (item) problems.push({ itemId: item.id, problem: `${label}: ${message}` });
    }
  }
  return problems;
}

async function checkAuthors(db: TextReader, items: ReleaseItemRow[]): Promise<ItemProblem[]> {
  const problems: ItemProblem[] = [];
  for (const { id: itemId, subjectId, action } of items)
    if (action !== 'restore' && !(await readLiveTexts(db, 'author', subjectId)))
      problems.push({ itemId, problem: 'An account in this release was deleted.' });
  return problems;
}

async function checkRedirects(db: TextReader, items: ReleaseItemRow[]): Promise<ItemProblem[]> {
  const problems: ItemProblem[] = [];
  for (const { id: itemId, subjectId: path, action, fields } of items) {
    const to = action === 'restore' ? null : (readTexts(fields)?.to ?? null);
    if (to === null) continue;
    const holder = await holderOf(db, path);
    if (holder) problems.push({ itemId, problem: `The address ${path} is used by “${holder.title}”.` });
    else if ((await addressOfTarget(db, to)) === null)
      problems.push({ itemId, problem: `The target of the redirect from ${path} was deleted.` });
  }
  return problems;
}
