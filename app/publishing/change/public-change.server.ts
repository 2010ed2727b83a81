import { setTimeout as sleep } from 'node:timers/promises';
import type { Effectful } from '#app/effects/effect-app.ts';
import type { CausingChange } from '#app/effects/events.ts';
import { recordEffects } from '#app/effects/record.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import type { Transaction, Prisma } from '#app/platform/database/client.server.ts';
import { lockTables, inTransaction, isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import { EVERY_PAGE, pathKey } from '#app/platform/http/page-keys.ts';
import type { Configured, Logged, Pictures, Timed } from '#app/platform/services.ts';
import { keyWithKind } from '#app/platform/trash-key.ts';
import type { Merging } from '#app/posts/history/merge-paragraphs.ts';
import { isPublicAfter } from '#app/posts/lists/queries.server.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import type { Rendering } from '#app/posts/markdown/render.server.ts';
import type { TextSnapshot } from '#app/releases/items.ts';
import { type TextKind, readLiveTexts, type RedirectTarget } from '#app/releases/live-texts.server.ts';
import type { Drained } from '#app/search/drain.server.ts';
import type { Searched } from '#app/search/engine.ts';
import { enqueue } from '#app/search/outbox.server.ts';
import { changedKeys, changedPositions, picturedKeys, POSTS_MAX, type AffectedPost } from './changed-keys.ts';
import {
  raiseContentVersion,
  updateSitemap,
  sitemapSource,
  insertAuthorPosts,
  insertSitemapEntries,
} from './public-effects.server.ts';
import { sumUpCounts } from './rebuild-counts.server.ts';
import { differenceOf, recordTextChanges, type TermChange, type TextChange } from './text-changes.server.ts';
import type { TrashKind } from './trash-item.ts';

/** The services that a content write needs. */
export type PublishingContext = Timed &
  Configured &
  Logged &
  Stored &
  Pictures &
  Searched &
  Drained &
  Effectful &
  Rendering &
  Merging;

/** One change that readers never see while its transaction is open. */
export interface HiddenChange {
  tx: Transaction;
  /** The clock at the start of the change. */
  now: Date;
}

/** One change of public content while its transaction is open. A change that reports nothing affects every page. */
export interface PublicChange extends HiddenChange {
  /**
   * Reports posts whose public side changes. Their sitemap rows and outbox entries are written before the commit.
   * Without ids it reports that readers see no difference.
   */
  affects(...postIds: string[]): void;
  /** As `affects`, for posts whose rows this change has written and thereby locked. */
  affectsWritten(...postIds: string[]): void;
  /**
   * Reports that pages with these posts offer their pictures in another format. Search and the sitemap stay unchanged.
   */
  affectsPictures(...postIds: string[]): void;
  /** Reports that every page may have changed because of something else than posts, such as a name or a setting. */
  affectsEveryPage(): void;
  /** Reports that these paths have another answer now, besides the paths of the affected posts. */
  affectsPaths(...paths: string[]): void;
  /** Records the changed texts of a setting, term, author or redirect, so that a past instant can show the old ones. */
  recordTexts(kind: TextKind, subjectId: string, before: TextSnapshot, after: TextSnapshot): void;
  /** Records that this change merges, trashes or restores a term, so that a past instant can show the state before. */
  recordTermChange(termChange: TermChange): void;
  /** Reports an event for those outside, besides those that follow from affected posts and recorded texts. */
  causes(event: CausingChange['events'][number]['event'], subject: string): void;
  /**
   * Waits until no other change takes an address, and lets none do so until this one ends. Posts, terms, redirects and
   * settings share the addresses, and no index of the database covers all of them. Call it before reading what has one.
   */
  lockAddresses(): Promise<void>;
}

/** Key of the lock on PostgreSQL. */
const ADDRESSES = 7_214_002;

/** How often a change is tried when another one takes the same unique value or the same post at the same moment. */
const COLLISION_ATTEMPTS = 10;

/** Counts are summed up after this number of changes, and by triggers. */
const SUMMED_UP_EVERY = 50;

/** Another change has written a post since this one read it. */
export class PostOvertaken extends Error {}

/** Another change has given a slug to a tag since this one chose it. */
export class TagOvertaken extends Error {}

/**
 * Every change that readers can see runs in here, in one transaction with its consequences (sitemap rows, search
 * outbox, content version). After the commit the outbox is drained. A search engine that is down does not fail the
 * change. `work` may run again after a deadlock or a collision, so it must have no effect outside the transaction.
 * @param options.drain false: the caller makes many changes and drains the outbox once
 */
export async function changePublicContent<T>(
  app: PublishingContext,
  work: (change: PublicChange) => Promise<T>,
  { drain = true }: { drain?: boolean } = {},
): Promise<T> {
  let affectsPosts = false;
  let version = 0;
  let effects = 0;
  const change = async (tx: Transaction) => {
    const affected = new Set<string>();
    const locked = new Set<string>();
    let posts: AffectedPost[] = [];
    let isReported = false;
    let everyPage = false;
    const paths = new Set<string>();
    const pictured = new Set<string>();
    const textChanges: (TextChange | TermChange)[] = [];
    const events: { event: CausingChange['events'][number]['event']; subject: string }[] = [];
    const now = app.clock.now();
    const value = await work({
      tx,
      now,
      affects(...postIds) {
        isReported = true;
        postIds.forEach((id) => affected.add(id));
      },
      affectsWritten(...postIds) {
        isReported = true;
        postIds.forEach((id) => affected.add(id) && locked.add(id));
      },
      affectsPictures(...postIds) {
        isReported = true;
        postIds.forEach((id) => pictured.add(id));
      },
      affectsEveryPage: () => (everyPage = true),
      affectsPaths(...changed) {
        isReported = true;
        changed.forEach((path) => paths.add(path));
      },
      recordTexts(kind, subjectId, before, after) {
        const texts = differenceOf(before, after);
        if (texts) textChanges.push({ kind, subjectId, texts });
      },
      recordTermChange: (termChange) => void textChanges.push(termChange),
      causes: (event, subject) => void events.push({ event, subject }),
      async lockAddresses() {
        // SQLite has one writer.
        if (app.env.database.dialect === 'postgresql')
          await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADDRESSES}::bigint)`;
      },
    });
    await recordTextChanges(tx, now, textChanges);
    const postIds = [...affected].sort();
    affectsPosts = postIds.length > 0;
    // Fixed lock order: posts by id, then what depends on them, then site_state.
    if (affectsPosts) {
      const free = postIds.filter((id) => !locked.has(id));
      if (free.length > 0) await lockPosts(app, tx, free);
      posts = await updateSitemap(app, tx, postIds);
      await enqueue(tx, app.clock, postIds);
    }
    const keys = changedKeys(posts);
    for (const path of paths) keys.add(pathKey(path));
    for (const key of picturedKeys(await publicOf(tx, pictured))) keys.add(key);
    if (everyPage || !isReported) keys.add(EVERY_PAGE);
    const state =
      keys.size > 0 ? await raiseContentVersion(app, { tx, now }, keys, changedPositions(posts)) : null;
    version = state?.contentVersion ?? 0;
    effects = await recordEffects(
      app,
      tx,
      { now, posts, written: locked, texts: textChanges, events, keys: state?.keys ?? [] },
      state,
    );
    return value;
  };
  const result = await retryingCollisions(() => inTransaction(app.db, change));
  if (effects > 0) app.effects.request(app);
  if (affectsPosts && drain) await app.drains.request(app);
  if (version > 0 && version % SUMMED_UP_EVERY === 0) await sumUpCounts(app).catch(() => {});
  return result;
}

/** Those that readers can see: nothing outside learns of others. Many are not looked up, and count as every page. */
async function publicOf(tx: Transaction, postIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (postIds.size === 0 || postIds.size > POSTS_MAX) return postIds;
  const rows = await tx.post.findMany({
    where: { id: { in: [...postIds] }, ...isPublic },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Every change of the same tables that readers never see, such as of an unpublished release, runs in here, in one
 * transaction. `work` may run again, as in `changePublicContent`.
 */
export function changeHidden<T>(app: Timed, work: (change: HiddenChange) => Promise<T>): Promise<T> {
  return retryingCollisions(() => inTransaction(app.db, (tx) => work({ tx, now: app.clock.now() })));
}

/**
 * Locks these posts for this transaction without changing them, always in the same order. Without the lock PostgreSQL
 * would let two concurrent changes of a post miss each other's new rows. SQLite has one writer and needs no lock.
 */
export async function lockPosts(app: Configured, tx: Transaction, postIds: readonly string[]): Promise<void> {
  if (app.env.database.dialect === 'sqlite' || postIds.length === 0) return;
  const ids = [...postIds];
  // As strong as an update that does not change the key, but it writes no new versions of the rows.
  await tx.$queryRaw`SELECT id FROM posts WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
}

// The second run sees what the other change committed. It avoids the collision or reports it in words for people.
async function retryingCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isCollision =
        isUniqueViolation(error) || error instanceof PostOvertaken || error instanceof TagOvertaken;
      if (attempt >= COLLISION_ATTEMPTS || !isCollision) throw error;
      // Only one of many colliding changes succeeds at a time. A random pause spreads their next tries.
      await sleep(Math.random() * 10 * attempt);
    }
  }
}

/** Time limit: a large instance on a slow disk takes minutes. */
const TIMEOUT_MS = 6 * 60 * 60 * 1000;
/** Prisma loads each relation with one parameter per post; beyond 999 it refuses the query. */
const PAGE = 500;

/**
 * Replaces all content at once: `work` clears and writes rows, in one transaction with the consequences for all posts,
 * before and after. Other writers wait until it ends; readers continue. The caller updates the index afterwards. `work`
 * may run again after a deadlock.
 * @param tables every table that `work` writes
 */
export async function replacePublicContent<T>(
  app: PublishingContext,
  tables: readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { dialect } = app.env.database;
  const locked = [...tables, 'sitemap_entries', 'author_posts', 'search_outbox', 'site_state'];
  const result = await inTransaction(
    app.db,
    async (tx) => {
      await lockTables(tx, dialect, locked);
      const affected = new Set<string>();
      for await (const posts of publishedPosts(tx)) for (const { id } of posts) affected.add(id);
      await tx.sitemapEntry.deleteMany();
      await tx.authorPost.deleteMany();
      const result = await work(tx);
      for await (const posts of publishedPosts(tx)) {
        for (const { id } of posts) affected.add(id);
        await insertAuthorPosts(app, tx, await insertSitemapEntries(app, tx, posts));
      }
      await enqueue(tx, app.clock, [...affected]);
      await raiseContentVersion(app, { tx, now: app.clock.now() }, new Set([EVERY_PAGE]));
      return result;
    },
    { timeout: TIMEOUT_MS },
  );
  await sumUpCounts(app).catch(() => {});
  return result;
}

async function* publishedPosts(
  tx: Transaction,
): AsyncGenerator<Prisma.PostGetPayload<{ select: typeof sitemapSource }>[]> {
  let after = '';
  for (;;) {
    const posts = await tx.post.findMany({
      where: isPublicAfter(after),
      select: sitemapSource,
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    if (posts.length === 0) return;
    yield posts;
    after = posts.at(-1)!.id;
  }
}

/**
 * Sets the target of a redirect; null removes the redirect. The record says since when the former one was there: no
 * record tells when the redirect of a post was made.
 */
export async function writeRedirect(
  { tx, now, recordTexts }: PublicChange,
  path: string,
  target: RedirectTarget | null,
): Promise<void> {
  const before = await readLiveTexts(tx, 'redirect', path);
  const row = await tx.redirect.findUnique({ where: { path }, select: { createdAt: true } });
  if (!target) await tx.redirect.deleteMany({ where: { path } });
  else {
    const leadsTo = { postId: null, categoryId: null, tagId: null, [`${target.kind}Id`]: target.id };
    await tx.redirect.upsert({
      where: { path },
      create: { path, createdAt: now, ...leadsTo },
      update: { createdAt: now, ...leadsTo },
    });
  }
  const to = target && `${target.kind} ${target.id}`;
  if (to === before!.to) return;
  const since = row?.createdAt.toISOString() ?? null;
  recordTexts('redirect', path, { ...before, since }, { to, since: target && now.toISOString() });
}

interface TrashEntry {
  id: string;
  kind: TrashKind;
  title: string;
  path?: string;
  ownerId?: string | null;
  details?: string;
  trashedById: string | null;
  trashedAt: Date;
}

/** Writes an entry of the trash. */
export async function putIntoTrash(tx: Transaction, { id, ...entry }: TrashEntry): Promise<void> {
  const other = await tx.trashItem.findUnique({ where: { id }, select: { id: true } });
  await tx.trashItem.create({ data: { ...entry, id: other ? keyWithKind(entry.kind, id) : id } });
}

/**
 * Deletes the stored reasons why the last trigger could not publish releases, when something was restored or an address
 * was freed. Screens then check each release anew, and the next trigger tries again. Called before the change writes
 * posts or terms: the publication of a release and the replacement of a picture lock releases first, too.
 */
export async function forgetReleaseProblems(tx: Transaction): Promise<void> {
  await tx.release.updateMany({
    where: { status: 'scheduled', problem: { not: '' } },
    data: { problem: '' },
  });
}
