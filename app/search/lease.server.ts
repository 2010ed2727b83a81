import { randomUUID } from 'node:crypto';
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { isUniqueViolation } from '#app/platform/transaction.server.ts';

/** No lease is ever taken for longer. */
const LONGEST_LEASE_MS = 10 * 60 * 1_000;

type LeaseApp = Pick<App, 'db' | 'clock'>;

/** Leases between processes: who drains the outbox, who rebuilds the index. */
export type LeaseName = 'search-drain' | 'search-rebuild';

/** A lease that this process holds until it releases it or stops extending it. */
export interface Lease {
  /** Names this holding of the lease and no other. */
  holder: string;
  /** Extends the lease; false when it was lost, since it had run out or another took it over. */
  extend(tx?: Transaction): Promise<boolean>;
  release(): Promise<void>;
}

/** Takes a lease that is free or has run out; null when another holds it. A killed holder's lease runs out. */
export async function takeLease(app: LeaseApp, name: LeaseName, lastsMs: number): Promise<Lease | null> {
  const lease = newLease(app, name, lastsMs);
  const data = { holder: lease.holder, expiresAt: expiry(app, lastsMs) };
  const { count } = await app.db.lease.updateMany({
    where: { name, OR: [{ expiresAt: { lte: app.clock.now() } }, { expiresAt: { gt: longest(app.clock) } }] },
    data,
  });
  if (count === 1) return lease;
  if ((await app.db.lease.count({ where: { name } })) > 0) return null;
  try {
    await app.db.lease.create({ data: { name, ...data } });
    return lease;
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Takes a lease whoever holds it; the one before finds out when it extends. */
export async function takeOverLease(app: LeaseApp, name: LeaseName, lastsMs: number): Promise<Lease> {
  const lease = newLease(app, name, lastsMs);
  const data = { holder: lease.holder, expiresAt: expiry(app, lastsMs) };
  await app.db.lease.upsert({ where: { name }, create: { name, ...data }, update: data });
  return lease;
}

/** Who holds the lease now; `''` for nobody. */
export async function leaseHolder(
  app: { db: Pick<App['db'], 'lease'>; clock: App['clock'] },
  name: LeaseName,
): Promise<string> {
  const row = await app.db.lease.findUnique({ where: { name } });
  const isHeld = row && row.expiresAt > app.clock.now() && row.expiresAt <= longest(app.clock);
  return isHeld ? row.holder : '';
}

/** Extends leases while work runs. Whoever is stopped or killed in it loses them soon. */
export async function whileExtending<T>(
  leases: Lease[],
  everyMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const heartbeat = setInterval(() => {
    // A failure shows at the next check that the work makes itself.
    for (const lease of leases) lease.extend().catch(() => {});
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
  }
}

function newLease(app: LeaseApp, name: LeaseName, lastsMs: number): Lease {
  const holder = randomUUID();
  return {
    holder,
    async extend(tx) {
      const { count } = await (tx ?? app.db).lease.updateMany({
        where: { name, holder, expiresAt: { gt: app.clock.now() } },
        data: { expiresAt: expiry(app, lastsMs) },
      });
      return count === 1;
    },
    // The row stays: the next one to take the lease then has only one way to do so.
    async release() {
      await app.db.lease.updateMany({ where: { name, holder }, data: { expiresAt: new Date(0) } });
    },
  };
}

// A lease that ends later was taken before the clock was set back; its holder must not count for days.
function longest(clock: App['clock']): Date {
  return new Date(clock.now().getTime() + LONGEST_LEASE_MS);
}

function expiry(app: LeaseApp, lastsMs: number): Date {
  return new Date(app.clock.now().getTime() + lastsMs);
}
