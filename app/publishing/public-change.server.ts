import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/transaction.server.ts';
import { postPath } from '#app/posts/paths.ts';
import { drainOutbox, enqueue } from '#app/search/outbox.server.ts';
import { holdPosts } from './post-row.server.ts';

/** What the door needs of the app. */
export type PublishingContext = Pick<App, 'env' | 'db' | 'clock' | 'log' | 'search' | 'workers'>;

/** One change of public content while its transaction is open. */
export interface PublicChange {
  tx: Transaction;
  /** The clock at the start of the change. */
  now: Date;
  /** Names posts that the change touches; their sitemap rows and index entries follow before the commit. */
  affects(...postIds: string[]): void;
  /** Says, instead of `affects`, that readers see no difference: pages that are kept stay good. */
  noPublicEffect(): void;
}

/** How often a change runs again because another one took the same unique value at the same moment. */
const COLLISION_ATTEMPTS = 10;

/**
 * THE ONE DOOR: every change that readers can see runs in here, in one transaction with its consequences
 * (sitemap rows, search outbox, content version). After the commit the outbox is drained; a search
 * engine that is down does not fail the change. `work` may run again after a deadlock or a collision, so
 * it has no effect outside the transaction.
 * @param options.drain false leaves the outbox to the caller, who makes many changes and drains once
 */
export async function changePublicContent<T>(
  app: PublishingContext,
  work: (change: PublicChange) => Promise<T>,
  options: { drain?: boolean } = {},
): Promise<T> {
  let affectsPosts = false;
  const change = async (tx: Transaction) => {
    const affected = new Set<string>();
    let visible = true;
    const now = app.clock.now();
    const value = await work({
      tx,
      now,
      affects: (...postIds) => postIds.forEach((id) => affected.add(id)),
      noPublicEffect: () => (visible = false),
    });
    affectsPosts = affected.size > 0;
    // Fixed lock order: posts by id, then what hangs on them, then site_state last.
    if (affectsPosts) await follow(tx, app.clock, [...affected].sort());
    if (affectsPosts || visible) await raiseContentVersion(tx, now);
    return value;
  };
  const result = await retryingCollisions(() => inTransaction(app.db, change));
  if (affectsPosts && options.drain !== false) await drainOutbox(app);
  return result;
}

async function follow(tx: Transaction, clock: PublishingContext['clock'], postIds: string[]): Promise<void> {
  await holdPosts(tx, postIds);
  await followInSitemap(tx, postIds);
  await enqueue(tx, clock, postIds);
}

// Derived from the rows as they are now, so a sitemap row can never outlive its post's publication.
async function followInSitemap(tx: Transaction, postIds: string[]): Promise<void> {
  await tx.sitemapEntry.deleteMany({ where: { postId: { in: postIds } } });
  const published = await tx.post.findMany({
    where: { id: { in: postIds }, status: 'published' },
    select: { id: true, slug: true, contentUpdatedAt: true },
    orderBy: { id: 'asc' },
  });
  if (published.length === 0) return;
  await tx.sitemapEntry.createMany({
    data: published.map((post) => ({
      path: postPath(post.slug),
      postId: post.id,
      lastModified: post.contentUpdatedAt,
    })),
  });
}

/** Tells every process that its copies of pages no longer hold. The last write of a public change. */
export async function raiseContentVersion(tx: Transaction, now: Date): Promise<void> {
  await tx.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, contentVersion: 1, updatedAt: now },
    update: { contentVersion: { increment: 1 }, updatedAt: now },
  });
}

// The second run sees what the other change committed, and then avoids it or says so in the user's words.
async function retryingCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= COLLISION_ATTEMPTS || !isUniqueViolation(error)) throw error;
      // Of many that collide one gets through at a time; they should not all come back at once.
      await sleep(Math.random() * 10 * attempt);
    }
  }
}
