import type { Db } from '#app/platform/services.ts';
import { describeDifferences, type ShownDifference } from '#app/admin/differences/describe.server.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import type { App } from '#app/app.ts';
import { postsVisibleTo, may } from '#app/people/roles.ts';
import { inSteps, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { type PostFields, emptyPostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import type { StoredText } from '#app/posts/fields/stored.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import { wantedTexts } from '#app/publishing/releases/apply-texts.server.ts';
import { planItemChange } from '#app/publishing/releases/plan-item-change.ts';
import { ofKind } from '#app/releases/check-release.server.ts';
import { readPostUndo, readTextUndo, readTexts, type ReleaseItemRow } from '#app/releases/items.ts';
import {
  addressOfTarget,
  readLiveTexts,
  textKinds,
  textLabels,
  titleOfTexts,
} from '#app/releases/live-texts.server.ts';
import { readChangedFields } from '#app/releases/post-change.server.ts';
import { type ReleaseWithItems, isRolledBack } from '#app/releases/queries.server.ts';
import { isSettingKey } from '#app/releases/release.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import { checkRelease, type ItemChecks } from './checks.server.ts';

/**
 * What a change of a release changes, or has changed if the release is published. Null for a change of a state alone,
 * and of a post that no longer exists.
 */
async function differencesOf(
  args: ScreenArguments,
  item: ReleaseItemRow,
  release: ReleaseWithItems,
): Promise<ShownDifference[] | null> {
  if (item.kind !== 'post') return textDifferences(args.app, item);
  const { app, adminContext } = args;
  const undo = readPostUndo(item.undo);
  if (undo) {
    const [before, after] = [undo.before, undo.after].map(({ fields }) => ({
      ...emptyPostFields,
      ...fields,
    }));
    const differences = await describeDifferences(app, before!, after!, adminContext);
    // Archiving changes only the state, which the screen shows anyway.
    return item.action === 'archive' && differences.length === 0 ? null : differences;
  }
  const row =
    /^(update|restore)$/.test(item.action) &&
    (await app.db.post.findUnique({ where: { id: item.subjectId } }));
  if (!row) return null;
  const live = await readPostFields(app.db, row);
  const changed =
    item.action === 'update'
      ? { ...live, ...(await readChangedFields(app.db, item)) }
      : await fieldsAfterRollback(app, item, { release, row, live });
  return describeDifferences(app, live, changed, adminContext);
}

/** What a rollback that is not published yet will leave of a post: what was changed since the release stays. */
async function fieldsAfterRollback(
  app: ScreenArguments['app'],
  item: ReleaseItemRow,
  {
    release,
    row,
    live,
  }: { release: ReleaseWithItems; row: { status: string; contentUpdatedAt: Date }; live: PostFields },
): Promise<PostFields> {
  // It has left this post as it was.
  if (release.status === 'published') return live;
  const present = (stored: StoredText) => readPresentFields(app.db, stored);
  return (await planItemChange(item, row, live, { at: app.clock.now(), present }))?.fields ?? live;
}

async function textDifferences(
  { db, workers }: Pick<App, 'db' | 'workers'>,
  item: ReleaseItemRow,
): Promise<ShownDifference[]> {
  const kind = oneOf(textKinds, item.kind);
  const undo = readTextUndo(item.undo);
  const before = undo?.before ?? (await readLiveTexts(db, kind, item.subjectId)) ?? {};
  const after = undo?.after ?? wantedTexts(item, before) ?? {};
  const names = Object.keys(after).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
  // The text of a redirect names its target by an id.
  const shown = async (text: string | null | undefined) =>
    kind === 'redirect' ? ((await addressOfTarget(db, text ?? null)) ?? '') : (text ?? '');
  const differences: ShownDifference[] = [];
  for (const name of names) {
    const lines = await workers.compareTexts(await shown(before[name]), await shown(after[name]));
    differences.push({ label: textLabels[name] ?? name, kind: 'text', lines });
  }
  return differences;
}

/** The first changes of a page are shown with their differences. Those of any other change are shown on request. */
const SHOWN_AT_ONCE = 5;
/** The most changes on other pages that are listed because their checks found something. */
const ELSEWHERE_SHOWN = 20;
/** Changes on one page: React renders a page in one turn of the event loop. */
const ITEMS_A_PAGE = 25;
/** The most posts that are offered to be added. */
const POSTS_OFFERED = 100;

/** One change of a release as its screen shows it. */
export interface ShownItem extends ItemChecks {
  id: string;
  kind: string;
  subjectId: string;
  action: string;
  /** A post's title, a setting's, term's or author's name, an address. */
  title: string;
  group: string | null;
  /** The post's current state; null for a deleted post and for other things. */
  status: string | null;
  /** Display name of the user who added the item or changed it last. */
  author: string | null;
  changedAt: Date;
  /** Null: not shown now. */
  differences: ShownDifference[] | null;
}

/** A change on another page of the screen whose checks found something. */
interface ItemElsewhere extends ItemChecks {
  id: string;
  title: string;
  page: number;
}

/**
 * What the screen of a release shows: one page of its changes, and what the checks of all changes found.
 * @param asked.show the change whose differences the user wants to see; the result has its page
 */
export async function describeRelease(
  args: ScreenArguments,
  release: ReleaseWithItems,
  requested: { show: string | null; page: number },
) {
  const { app, user } = args;
  const { items, problem: _problem, ...row } = release;
  const isOpen = release.status !== 'published';
  const posts = await readPosts(app, items);
  const pageCount = Math.max(1, Math.ceil(items.length / ITEMS_A_PAGE));
  const shownIndex = items.findIndex(({ id }) => id === requested.show);
  const page = shownIndex < 0 ? Math.min(requested.page, pageCount) : pageOf(shownIndex);
  const before = (page - 1) * ITEMS_A_PAGE;
  const onPage = items.slice(before, before + ITEMS_A_PAGE);
  const shownIds = new Set(
    requested.show === null ? onPage.slice(0, SHOWN_AT_ONCE).map(({ id }) => id) : [requested.show],
  );
  const isForeign = ({ subjectId }: ReleaseItemRow) => {
    const post = posts.get(subjectId);
    return post !== undefined && !may(user, 'posts:all') && post.authorId !== user.id;
  };
  const checks = await checkRelease(app, release, (item) => {
    if (isForeign(item)) return 'never';
    return shownIds.has(item.id) ? 'always' : 'unless its text is new';
  });
  const [authors, choices] = await Promise.all([
    readNames(app, onPage),
    isOpen ? readAddablePosts(args, items) : [],
  ]);
  const t = wordsFor(args.adminContext);
  const titleIn = async (item: ReleaseItemRow) =>
    isForeign(item) ? t('Someone else’s post') : titleOf(args, item, posts.get(item.subjectId)?.title);
  const shown: ShownItem[] = [];
  for (const item of onPage) {
    shown.push({
      id: item.id,
      kind: item.kind,
      subjectId: item.subjectId,
      action: item.action,
      title: await titleIn(item),
      group:
        item.kind === 'setting' && isSettingKey(item.subjectId) ? definitionOf(item.subjectId).group : null,
      status: posts.get(item.subjectId)?.status ?? null,
      author: (item.authorId && authors.get(item.authorId)) ?? null,
      changedAt: item.updatedAt,
      ...(checks.get(item.id) ?? nothingFound),
      differences:
        shownIds.has(item.id) && !isForeign(item) ? await differencesOf(args, item, release) : null,
    });
  }
  const others = [...items.entries()].filter(([index, { id }]) => pageOf(index) !== page && checks.has(id));
  const isFine = ([, { id }]: (typeof others)[number]) => Number(checks.get(id)!.problem === null);
  // Changes that block the release first.
  others.sort((a, b) => isFine(a) - isFine(b));
  const elsewhere: ItemElsewhere[] = [];
  for (const [index, item] of others.slice(0, ELSEWHERE_SHOWN))
    elsewhere.push({
      id: item.id,
      title: await titleIn(item),
      page: pageOf(index),
      ...checks.get(item.id)!,
    });
  const rollbacks = await app.db.release.findMany({
    where: { rollbackOfId: release.id },
    select: { id: true, name: true, status: true, publishAt: true },
    orderBy: { id: 'asc' },
  });
  const isBlocked = [...checks.values()].some(({ problem }) => problem !== null);
  const problem = isOpen && !isBlocked ? release.problem : '';
  return {
    release: { ...row, problem },
    isBlocked,
    items: shown,
    itemCount: items.length,
    page,
    pageCount,
    /** Changes on the pages before. */
    before,
    elsewhere,
    /** Number of further changes on other pages whose checks found something. */
    moreElsewhere: others.length - elsewhere.length,
    choices,
    rollbacks,
    isRolledBack: await isRolledBack(app, release.id),
  };
}

const nothingFound: ItemChecks = { problem: null, deadLinks: [], rivals: [] };

const pageOf = (index: number) => Math.floor(index / ITEMS_A_PAGE) + 1;

async function readPosts(app: Db, items: readonly ReleaseItemRow[]) {
  const rows = await inSteps(ofKind(items, 'post'), ROWS_A_STEP, (batch) =>
    app.db.post.findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { id: true, title: true, status: true, authorId: true },
    }),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function readNames(app: Db, items: readonly ReleaseItemRow[]) {
  const ids = [...new Set(items.flatMap(({ authorId }) => authorId ?? []))];
  const rows = await app.db.user.findMany({
    where: { id: { in: ids } },
    select: { id: true, displayName: true },
  });
  return new Map(rows.map(({ id, displayName }) => [id, displayName]));
}

async function titleOf(
  { app, adminContext }: ScreenArguments,
  item: ReleaseItemRow,
  title: string | undefined,
): Promise<string> {
  const t = wordsFor(adminContext);
  const { kind, subjectId, undo, fields } = item;
  if (kind === 'post') return title ?? readPostUndo(undo)?.after.fields.title ?? t('(deleted)');
  const texts = readTexts(fields);
  return (
    (await titleOfTexts(app.db, oneOf(textKinds, kind), subjectId)) ??
    texts?.name ??
    texts?.displayName ??
    t('(deleted)')
  );
}

const addable = ['draft', 'scheduled', 'archived'];

/** Posts that can be added to a release with these items, the last changed first. */
async function readAddablePosts({ app, user }: ScreenArguments, items: readonly ReleaseItemRow[]) {
  const present = new Set(items.map(({ subjectId }) => subjectId));
  // One state at a time, which uses an index: for several states SQLite would read and sort all posts.
  const readLatest = (status: string, skip: number) =>
    app.db.post.findMany({
      where: { AND: [postsVisibleTo(user), { status }] },
      select: { id: true, title: true, status: true, updatedAt: true },
      orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
      skip,
      take: ROWS_A_STEP,
    });
  const offered: Awaited<ReturnType<typeof readLatest>> = [];
  for (const status of addable) {
    const ofStatus: typeof offered = [];
    for (let skip = 0; ofStatus.length < POSTS_OFFERED; skip += ROWS_A_STEP) {
      const rows = await readLatest(status, skip);
      ofStatus.push(...rows.filter(({ id }) => !present.has(id)));
      if (rows.length < ROWS_A_STEP) break;
    }
    offered.push(...ofStatus);
  }
  return offered
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    .slice(0, POSTS_OFFERED)
    .map(({ updatedAt: _updatedAt, ...choice }) => choice);
}
