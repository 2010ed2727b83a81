import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rawSql } from '#app/platform/database/client.server.ts';
import { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';
import { readProgress, type SiteProgress } from './prepare-site.server.ts';
import {
  openScratchSite,
  SCRATCH_PREFIX,
  type ScratchSite,
  type SiteServices,
} from './scratch-site.server.ts';

/** The most sites that are kept. Each is a copy of the database on disk. */
export const KEPT_SITES = 3;
/** How long a site exists after its last request. */
const IDLE_MS = 5 * 60_000;
/** How long after its last request a site keeps its database client, since work that a request started may use it. */
export const AWAKE_MS = 2_000;

/** Failures that are told, the newest ones, and for how long. */
const FAILURES_SHOWN = 3;
const FAILURE_SHOWN_MS = 15 * 60_000;

/** A site that is being made, or could not be made, since `at`. */
export interface SitePreparation {
  instant: Date;
  at: Date;
  progress: SiteProgress | null;
  /** Why it failed; null while it is being made. */
  failure: Message | null;
}

interface Kept<Services> {
  site: Promise<ScratchSite<Services>>;
  uses: number;
  timers: NodeJS.Timeout[];
}

/**
 * The scratch sites that this process has opened. A site is kept for some minutes, so that its next page needs no new
 * copy. After a change of anything that it shows, the next request makes a new site.
 */
export class ScratchSites<Services extends SiteServices & Logged> {
  /** The clients of the copies. */
  readonly databases = new ReusedDatabases();
  readonly #kept = new Map<string, Kept<Services>>();
  /** The kept sites, and those in use that were forgotten. */
  readonly #open = new Set<Kept<Services>>();
  /** The sites whose files are being removed. */
  readonly #closing = new Set<Promise<void>>();
  /** The sites that this process is making, each with the folder of its files. */
  readonly #making = new Set<{ instant: Date; at: Date; folder: string }>();
  #failed: SitePreparation[] = [];
  #swept: Promise<void> | undefined;

  /** Runs `work` with the public site as it is at an instant. */
  async use<T>(app: Services, instant: Date, work: (site: ScratchSite<Services>) => Promise<T>): Promise<T> {
    this.#swept ??= removeLeftovers(app);
    await this.#swept;
    const key = `${instant.toISOString()} ${await readFingerprint(app, instant)}`;
    const entry = this.#kept.get(key) ?? this.#add(app, key, instant);
    // The least recently used site is first.
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    entry.uses += 1;
    stopTimers(entry);
    try {
      return await work(await entry.site);
    } finally {
      entry.uses -= 1;
      if (entry.uses === 0 && this.#kept.get(key) !== entry) this.#drop(key, entry);
      else if (entry.uses === 0)
        entry.timers = [
          setTimeout(
            () => void entry.site.then((site) => site.closeDatabase()).catch(() => {}),
            AWAKE_MS,
          ).unref(),
          setTimeout(() => this.#drop(key, entry), IDLE_MS).unref(),
        ];
      // Only now: together, the new copy and the removal of an old one would delay readers more.
      this.#dropSurplus();
    }
  }

  /** The sites that this process is making, and those that it could not make in the last minutes. */
  async preparations({ clock }: Timed): Promise<SitePreparation[]> {
    const since = clock.now().getTime() - FAILURE_SHOWN_MS;
    const making = [...this.#making].map(async ({ instant, at, folder }) => {
      const progress = folder === '' ? null : await readProgress(folder);
      return { instant, at, progress, failure: null };
    });
    return [...(await Promise.all(making)), ...this.#failed.filter(({ at }) => at.getTime() > since)];
  }

  /** Makes each site anew for its next request: another database may have the same fingerprints. */
  forget(): void {
    for (const [key, entry] of [...this.#kept])
      if (entry.uses === 0) this.#drop(key, entry);
      else this.#kept.delete(key);
  }

  /** Closes all sites when the process stops, and waits for those that it is closing already. */
  async close(): Promise<void> {
    const all = [...this.#open];
    this.#kept.clear();
    this.#open.clear();
    for (const entry of all) {
      stopTimers(entry);
      await entry.site.then((opened) => opened.close()).catch(() => {});
    }
    await Promise.all(this.#closing);
  }

  #add(app: Services, key: string, instant: Date): Kept<Services> {
    const site = this.#make(app, instant);
    const entry: Kept<Services> = { site, uses: 0, timers: [] };
    entry.site.catch(() => this.#drop(key, entry));
    this.#open.add(entry);
    return entry;
  }

  async #make(app: Services, instant: Date): Promise<ScratchSite<Services>> {
    const making = { instant, at: app.clock.now(), folder: '' };
    this.#making.add(making);
    this.#failed = this.#failed.filter((failed) => failed.instant.getTime() !== instant.getTime());
    try {
      return await openScratchSite(app, this.databases, instant, (folder) => (making.folder = folder));
    } catch (error) {
      const failure = isAppError(error) ? error.said : 'The server’s log has the reason.';
      const failed = { instant, at: app.clock.now(), progress: null, failure };
      this.#failed = [failed, ...this.#failed].slice(0, FAILURES_SHOWN);
      throw error;
    } finally {
      this.#making.delete(making);
    }
  }

  /** Drops sites that nobody uses while more than `KEPT_SITES` are kept. */
  #dropSurplus(): void {
    for (const [key, entry] of this.#kept) {
      if (this.#kept.size <= KEPT_SITES) break;
      if (entry.uses === 0) this.#drop(key, entry);
    }
  }

  #drop(key: string, entry: Kept<Services>): void {
    stopTimers(entry);
    if (this.#kept.get(key) === entry) this.#kept.delete(key);
    this.#open.delete(entry);
    const closing = entry.site.then((site) => site.close()).catch(() => {});
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

function stopTimers({ timers }: Pick<Kept<unknown>, 'timers'>): void {
  for (const timer of timers) clearTimeout(timer);
}

/** Removes the files of killed processes. */
async function removeLeftovers(app: Logged): Promise<void> {
  try {
    for (const name of await readdir(tmpdir())) {
      const pid = new RegExp(`^${SCRATCH_PREFIX}(\\d+)-`).exec(name)?.[1];
      if (pid && !isAlive(Number(pid))) await rm(path.join(tmpdir(), name), { recursive: true, force: true });
    }
  } catch (error) {
    app.log.warn({ reason: messageOf(error) }, 'Abandoned copies of the site could not be removed');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Unlike the latest time, the sum also changes while the clock is set back. In milliseconds or seconds. */
const sumOfTimes = {
  sqlite: rawSql("SUM(CAST(ROUND(UNIXEPOCH(updated_at, 'subsec') * 1000) AS INTEGER))"),
  postgresql: rawSql('SUM(EXTRACT(EPOCH FROM updated_at))'),
};

/**
 * A text that changes whenever something changes that the site at an instant may show. Each page of a preview reads it,
 * so it is one statement that uses only indexes. Versions rise also while the clock is set back; no index has those of
 * the scheduled posts, which may be many. A new draft counts while a release waits, whose address it may take; the
 * number of posts in the trash falls when one is deleted for good, which no past instant may show then.
 */
export async function readFingerprint(
  { db, clock, env }: Timed & Configured,
  instant: Date,
): Promise<string> {
  const rows = await db.$queryRaw<Record<string, string | null>[]>`
    SELECT
      (SELECT CAST(content_version AS TEXT) FROM site_state WHERE id = 1) AS content,
      (SELECT CONCAT(COUNT(*), ' ', ${sumOfTimes[env.database.dialect]}, ' ', MAX(updated_at)) FROM posts
        WHERE status = 'scheduled') AS waiting,
      (SELECT CONCAT(COUNT(*), ' ', MAX(created_at)) FROM prepared_changes) AS updates,
      (SELECT CONCAT(COUNT(*), ' ', SUM(version), ' ', MAX(updated_at)) FROM releases
        WHERE status IN ('draft', 'scheduled')) AS releases,
      (SELECT CAST(SUM(posts) AS TEXT) FROM post_counts WHERE month = '' AND list = 'all'
        AND (status = 'trashed' OR EXISTS (SELECT 1 FROM releases WHERE status = 'scheduled'))) AS kept,
      (SELECT CAST(SUM(version) AS TEXT) FROM posts WHERE id IN (SELECT post_id FROM prepared_changes)) AS updated,
      (SELECT CONCAT(COUNT(*), ' ', SUM(version)) FROM posts WHERE id IN (
        SELECT subject_id FROM release_items
        WHERE kind = 'post' AND action IN ('publish', 'restore')
          AND release_id IN (SELECT id FROM releases WHERE status = 'scheduled'))) AS drafts`;
  return JSON.stringify([rows[0], instant < clock.now()]);
}
