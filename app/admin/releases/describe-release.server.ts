import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import {
  describeDifferences,
  type ShownDifference,
} from '#app/admin/revisions/describe-differences.server.ts';
import type { App } from '#app/app.ts';
import { postsVisibleTo } from '#app/auth/post-access.ts';
import { may } from '#app/auth/roles.ts';
import { hasNewBody, ReleaseLinks } from './dead-links.server.ts';
import { emptyPostFields } from '#app/posts/fields.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { diffText } from '#app/posts/revision-diff.ts';
import { readStoredFields } from '#app/posts/revision.ts';
import { checkItems, ofKind, type ReleaseItemRow } from '#app/releases/check-release.server.ts';
import { readPostUndo, readTexts, readTextUndo } from '#app/releases/item-changes.ts';
import {
  addressOfTarget,
  readLiveTexts,
  textLabels,
  titleOfTexts,
  type TextKind,
} from '#app/releases/live-texts.server.ts';
import { findRivals, type RivalRelease } from '#app/releases/rival-releases.server.ts';
import { isSettingKey } from '#app/releases/setting-key.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import type { ReleaseWithItems } from '#app/releases/queries.server.ts';

/** Differences of so many changes are shown at once; of others one at a time. */
const SHOWN_AT_ONCE = 5;
const POSTS_OFFERED = 200;

/** One change of a release as its screen shows it. */
export interface ShownItem {
  id: string;
  kind: string;
  subjectId: string;
  action: string;
  /** A post's title, a setting's, term's or author's name, an address. */
  title: string;
  /** A setting's group. */
  group: string | null;
  /** A post's state now; null: it is no post, or it is gone. */
  status: string | null;
  /** Display name of who put it there or changed it last. */
  author: string | null;
  changedAt: Date;
  problem: string | null;
  /** Links that will lead to nothing that readers see; in a changed text looked at with the differences. */
  deadLinks: string[];
  /** Other unpublished releases that change the same thing or want the same address. */
  rivals: RivalRelease[];
  /** Null: not looked at now. */
  differences: ShownDifference[] | null;
}

/** What the screen of a release shows. `show`: the change whose differences are asked for. */
export async function describeRelease(args: ScreenArguments, release: ReleaseWithItems, show: string | null) {
  const { app, user } = args;
  const { items, problem: _problem, ...row } = release;
  const isOpen = release.status !== 'published';
  const problems = isOpen ? await checkItems(app.db, items) : [];
  const problemOf = new Map(problems.map(({ itemId, problem }) => [itemId, problem]));
  const posts = await readPosts(app, items);
  const [authors, rivals, choices] = await Promise.all([
    readNames(app, items),
    isOpen ? findRivals(app, release) : new Map<string, never[]>(),
    isOpen ? readChoices(args, items) : [],
  ]);
  const links = new ReleaseLinks(app, items);
  const t = wordsFor(args.adminContext);
  const shown: ShownItem[] = [];
  for (const [index, item] of items.entries()) {
    const post = posts.get(item.subjectId);
    const isForeign = post && !may(user, 'posts:all') && post.authorId !== user.id;
    const isShown = !isForeign && (show === null ? index < SHOWN_AT_ONCE : item.id === show);
    shown.push({
      id: item.id,
      kind: item.kind,
      subjectId: item.subjectId,
      action: item.action,
      title: isForeign ? t('A post of somebody else') : await titleOf(args, item, post?.title),
      group:
        item.kind === 'setting' && isSettingKey(item.subjectId) ? definitionOf(item.subjectId).group : null,
      status: post?.status ?? null,
      author: (item.authorId && authors.get(item.authorId)) ?? null,
      changedAt: item.updatedAt,
      problem: problemOf.get(item.id) ?? null,
      deadLinks: isOpen && (isShown || (!isForeign && !hasNewBody(item))) ? await links.deadIn(item) : [],
      rivals: rivals.get(item.id) ?? [],
      differences: isShown ? await differencesOf(args, item) : null,
    });
  }
  const rollbacks = await app.db.release.findMany({
    where: { rollbackOfId: release.id },
    select: { id: true, name: true, status: true, publishAt: true },
    orderBy: { id: 'asc' },
  });
  const problem = isOpen && problems.length === 0 ? release.problem : '';
  return { release: { ...row, problem }, isBlocked: problems.length > 0, items: shown, choices, rollbacks };
}

async function readPosts(app: Pick<App, 'db'>, items: readonly ReleaseItemRow[]) {
  const rows = await app.db.post.findMany({
    where: { id: { in: ofKind(items, 'post').map(({ subjectId }) => subjectId) } },
    select: { id: true, title: true, status: true, authorId: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}

async function readNames(app: Pick<App, 'db'>, items: readonly ReleaseItemRow[]) {
  const ids = [...new Set(items.flatMap(({ authorId }) => authorId ?? []))];
  const rows = await app.db.user.findMany({
    where: { id: { in: ids } },
    select: { id: true, displayName: true },
  });
  return new Map(rows.map(({ id, displayName }) => [id, displayName]));
}

/** Posts that can be added, the latest first. */
async function readChoices({ app, user }: ScreenArguments, items: readonly ReleaseItemRow[]) {
  const present = new Set(items.map(({ subjectId }) => subjectId));
  const rows = await app.db.post.findMany({
    where: { AND: [postsVisibleTo(user), { status: { in: ['draft', 'scheduled', 'archived'] } }] },
    select: { id: true, title: true, status: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    take: POSTS_OFFERED + present.size,
  });
  return rows.filter(({ id }) => !present.has(id)).slice(0, POSTS_OFFERED);
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
    (await titleOfTexts(app.db, kind as TextKind, subjectId)) ??
    texts?.name ??
    texts?.displayName ??
    t('(deleted)')
  );
}

async function differencesOf(args: ScreenArguments, item: ReleaseItemRow): Promise<ShownDifference[] | null> {
  if (item.kind !== 'post') return textDifferences(args.app, item);
  const { app, adminContext } = args;
  const undo = readPostUndo(item.undo) ?? (item.action === 'restore' ? readPostUndo(item.fields) : null);
  if (undo) {
    const [before, after] = [undo.before, undo.after].map(({ fields }) => ({
      ...emptyPostFields,
      ...fields,
    }));
    const differences = await describeDifferences(app, before!, after!, adminContext);
    // An archive changes the state alone, and the screen has said so.
    return item.action === 'archive' && differences.length === 0 ? null : differences;
  }
  const row = item.action === 'update' && (await app.db.post.findUnique({ where: { id: item.subjectId } }));
  if (!row) return null;
  const live = await readPostFields(app.db, row);
  const wanted = { ...live, ...readStoredFields(item.fields) };
  return describeDifferences(app, live, wanted, adminContext);
}

async function textDifferences({ db }: Pick<App, 'db'>, item: ReleaseItemRow): Promise<ShownDifference[]> {
  const kind = item.kind as TextKind;
  const undo = readTextUndo(item.undo) ?? (item.action === 'restore' ? readTextUndo(item.fields) : null);
  const after = undo?.after ?? readTexts(item.fields) ?? {};
  const before = undo?.before ?? (await readLiveTexts(db, kind, item.subjectId)) ?? {};
  const names = Object.keys(after).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
  // A redirect's target is kept by its id.
  const shown = async (text: string | null | undefined) =>
    kind === 'redirect' ? ((await addressOfTarget(db, text ?? null)) ?? '') : (text ?? '');
  const differences: ShownDifference[] = [];
  for (const name of names) {
    const lines = diffText(await shown(before[name]), await shown(after[name]));
    differences.push({ label: textLabels[name] ?? name, kind: 'text', lines });
  }
  return differences;
}
