import type { App } from '#app/app.ts';
import { findDeadLinks, linksOf, type ChangedAddresses } from '#app/import/checks/links.server.ts';
import { inSteps, inTurns, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { Message } from '#app/platform/message.ts';
import { readStoredFields } from '#app/posts/fields/stored.ts';
import { isPublic } from '#app/posts/lists/queries.server.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { readPagesBelow, type MovedPage } from '#app/releases/check-posts.server.ts';
import { ofKind, checkItems } from '#app/releases/check-release.server.ts';
import { readTexts, type ReleaseItemRow } from '#app/releases/items.ts';
import {
  checkedPostColumns,
  namesAddress,
  PlannedAddresses,
  readAddressChange,
  type AddressChange,
  type CheckedPost,
} from '#app/releases/planned-addresses.server.ts';
import type { ReleaseWithItems } from '#app/releases/queries.server.ts';
import { findRivals, type RivalRelease } from '#app/releases/rivals.server.ts';

/** The settings that consist of lines `label | address`. */
const menus = new Set(['navigation', 'footer', 'header_button', 'announcement']);

/** True for a change with a new text, whose links are known only after rendering. */
function hasNewBody({ kind, action, fields }: ReleaseItemRow): boolean {
  return kind === 'post' && action === 'update' && readStoredFields(fields)?.body !== undefined;
}

/** Finds the links of an item that will lead nowhere once a release with these items is published. */
export function linkChecker(app: App, items: readonly ReleaseItemRow[]) {
  let changed: ChangedAddresses | undefined;
  return async (item: ReleaseItemRow): Promise<string[]> => {
    const page = await pageOf(app, item);
    if (!page) return [];
    changed ??= await readChanged(app, items);
    return findDeadLinks(app, page.path, page.links, changed);
  };
}

/** The path and links of an item's page after the publication; null for an item without links. */
async function pageOf(app: App, { kind, action, subjectId, fields }: ReleaseItemRow) {
  if (kind === 'setting' && menus.has(subjectId)) {
    const lines = (readTexts(fields)?.value ?? '').split('\n');
    const addresses = lines.flatMap((line) => (line.includes('|') ? [line.split('|').at(-1)!.trim()] : []));
    return { path: '/', links: addresses };
  }
  if (kind !== 'post' || (action !== 'publish' && action !== 'update')) return null;
  const row = await app.db.post.findUnique({
    where: { id: subjectId },
    select: { slug: true, bodyHtml: true },
  });
  if (!row) return null;
  const body = action === 'update' ? readStoredFields(fields)?.body : undefined;
  const html = body === undefined ? row.bodyHtml : (await renderBody(app, body)).html;
  return { path: encodePath(postPath(row.slug)), links: linksOf(html) };
}

async function readChanged(app: App, all: readonly ReleaseItemRow[]): Promise<ChangedAddresses> {
  const items = ofKind(all, 'post');
  const rows = await inSteps(items, ROWS_A_STEP, (batch) =>
    app.db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: checkedPostColumns,
    }),
  );
  const posts = new Map(rows.map((row) => [row.id, row]));
  const actions = new Map(items.map(({ subjectId, action }) => [subjectId, action]));
  const changes = new Map<string, AddressChange>();
  const appear = new Set<string>();
  const vanish = new Set<string>();
  for await (const item of inTurns(items)) {
    const post = posts.get(item.subjectId);
    if (!post) continue;
    if (item.action === 'publish') appear.add(postPath(post.slug));
    if (item.action === 'archive') vanish.add(postPath(post.slug));
    const change = item.action === 'update' && readAddressChange(item, post);
    if (change) changes.set(post.id, change);
  }
  for (const path of await readNewPaths(app, posts, changes, actions)) appear.add(path);
  for (const { subjectId, fields } of ofKind(all, 'redirect'))
    (readTexts(fields)?.to ? appear : vanish).add(subjectId);
  return { appear, vanish };
}

/** The new paths of posts that move, and of the pages below them that are public then. The old ones then lead there. */
async function readNewPaths(
  { db }: App,
  posts: ReadonlyMap<string, CheckedPost>,
  changes: ReadonlyMap<string, AddressChange>,
  actions: ReadonlyMap<string, string>,
): Promise<string[]> {
  const planned = new PlannedAddresses(db, posts, changes);
  const moved: MovedPage[] = [];
  for (const [id, change] of changes) {
    const post = posts.get(id)!;
    const slug = change.slug !== '' && namesAddress(post, change) && (await planned.of(post));
    if (typeof slug === 'string') moved.push({ itemId: '', id, title: post.title, slug });
  }
  const below = await readPagesBelow(
    db,
    moved.filter(({ slug }) => slug.startsWith('/')),
  );
  const isPublicThen = ({ id, status }: { id: string; status: string }) => {
    const action = actions.get(id);
    return status === isPublic.status ? action !== 'archive' : action === 'publish';
  };
  return [...moved, ...below.filter(isPublicThen)].map(({ slug }) => postPath(slug));
}

/** What blocks a change of a release, and warnings about it. */
export interface ItemChecks {
  problem: Message | null;
  /** Links that will lead nowhere. A changed text is checked only when its differences are shown. */
  deadLinks: string[];
  /** Other unpublished releases that change the same thing or want the same address. */
  rivals: RivalRelease[];
}

/** Whether the links of a change are checked. A new text takes long, since it must be rendered. */
type LinkCheck = 'always' | 'unless its text is new' | 'never';

/**
 * Checks everything in an unpublished release.
 * @returns the findings by the id of the change; changes without findings are left out
 */
export async function checkRelease(
  app: App,
  release: ReleaseWithItems,
  linkCheckOf: (item: ReleaseItemRow) => LinkCheck,
): Promise<Map<string, ItemChecks>> {
  const checksByItem = new Map<string, ItemChecks>();
  if (release.status === 'published') return checksByItem;
  const { items } = release;
  const problems = await checkItems(app.db, items, release.publishAt ?? app.clock.now());
  const problemOf = new Map(problems.map(({ itemId, problem }) => [itemId, problem]));
  const rivalsOf = await findRivals(app, release);
  const deadLinksIn = linkChecker(app, items);
  for await (const item of inTurns(items)) {
    const problem = problemOf.get(item.id) ?? null;
    const rivals = rivalsOf.get(item.id) ?? [];
    const linkCheck = linkCheckOf(item);
    const areLinksChecked =
      linkCheck === 'always' || (linkCheck === 'unless its text is new' && !hasNewBody(item));
    const deadLinks = areLinksChecked ? await deadLinksIn(item) : [];
    if (problem !== null || deadLinks.length > 0 || rivals.length > 0)
      checksByItem.set(item.id, { problem, deadLinks, rivals });
  }
  return checksByItem;
}
