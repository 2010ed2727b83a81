import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { TableName } from '#app/backup/format/tables.ts';
import { BackgroundEffects } from '#app/effects/run.server.ts';
import { forgetEffects } from '#app/effects/manage.server.ts';
import { createMediaStore } from '#app/media/store/create.server.ts';
import { copyPostgres, type CopiedRows, copySqlite } from '#app/platform/database/copy.server.ts';
import { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import type { DatabaseTarget, Env } from '#app/platform/env.server.ts';
import { Mutex } from '#app/platform/jobs/concurrency.ts';
import { parseJson } from '#app/platform/json.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Merging } from '#app/posts/history/merge-paragraphs.ts';
import type { Rendering } from '#app/posts/markdown/render.server.ts';
import { changeHidden, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { publishAllDue } from '#app/publishing/trigger/publish-due.server.ts';
import { BackgroundDrains, drainOutbox } from '#app/search/drain.server.ts';
import { createEmbeddedEngine } from '#app/search/embedded/engine.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { secretSettingKeys } from '#app/settings/catalogue.ts';
import { rewindSite } from '#app/time-travel/rewind/site.server.ts';

/** What the site at an instant is made from. Plain data, so that it can be sent to a worker process. */
export interface SitePlan {
  /** The environment of the live site. */
  env: Env;
  /** An empty folder for the files. */
  folder: string;
  instant: Date;
  now: Date;
  /** Of a past instant: when a late trigger published releases that were due at it. */
  lateReleases: Date[];
}

const progressSchema = z.object({
  step: z.enum(['copy', 'publish', 'rewind']),
  done: z.number(),
  total: z.number(),
});

/** How far the making of a site is. Only `rewind` counts posts. */
export type SiteProgress = z.infer<typeof progressSchema>;

/** Posts are counted in a file, so not each of them. */
const PROGRESS_EVERY_MS = 500;

export interface SiteMaking {
  workers: {
    /**
     * Makes the database of the site at an instant.
     * @throws AppError `unavailable` when the work takes too long, or too many sites wait
     */
    prepareSite(plan: SitePlan): Promise<void>;
    /** Makes the search index of a prepared site; throws as `prepareSite`. */
    prepareSiteSearch(plan: SitePlan): Promise<void>;
  };
}

/**
 * Tables that are not copied, since no address of the site depends on them. Imported items and the trash are copied:
 * old addresses redirect to imported items, and the trash reserves addresses.
 */
const unseenTables: readonly TableName[] = [
  ...(['sessions', 'user_tokens', 'preview_links', 'site_previews', 'login_throttle', 'leases'] as const),
  ...(['undo_steps', 'media_removals', 'content_changes', 'snippets'] as const),
  ...(['effects', 'webhooks', 'webhook_deliveries', 'alerts'] as const),
  ...(['subscribers', 'subscriber_erasures'] as const),
  ...(['newsletter_issues', 'newsletter_recipients', 'newsletter_limits'] as const),
  ...(['audit_log', 'backup_runs', 'publish_runs', 'import_journal'] as const),
];

/**
 * The rows to copy from PostgreSQL. Revisions contain each text many times: a site in the future needs none, a site in
 * the past only those of posts that have changed since, and the changes of texts.
 */
function copiedRows({ instant, now }: SitePlan): CopiedRows {
  const since = instant < now && `> '${instant.toISOString()}'`;
  const changed = `SELECT id FROM posts WHERE content_updated_at ${since} OR published_at ${since} OR updated_at ${since}`;
  return {
    ...Object.fromEntries(unseenTables.map((name) => [name, 'none'])),
    revisions: since ? { where: `post_id IN (${changed})` } : 'none',
    ...(!since && { text_changes: 'none' }),
  };
}

const PROGRESS_FILE = 'progress.json';

/** The files of a scratch site. */
export function filesIn(folder: string): {
  database: DatabaseTarget & { dialect: 'sqlite' };
  search: string;
} {
  const file = path.join(folder, 'site.db');
  return {
    database: { dialect: 'sqlite', url: `file:${file}`, file },
    search: path.join(folder, 'search.db'),
  };
}

/** The tasks of a worker for sites. They reuse its database clients from site to site. */
export function createSiteTasks() {
  const databases = new ReusedDatabases();
  return {
    prepareSite: (plan: SitePlan) => prepareSite(databases, plan),
    prepareSiteSearch: (plan: SitePlan) => prepareSiteSearch(databases, plan),
  };
}

/**
 * Makes the database of the site at an instant. For the future the trigger runs in a copy, with its clock at that
 * instant; for the past the copy is rewound.
 */
async function prepareSite(databases: ReusedDatabases, plan: SitePlan): Promise<void> {
  const { env, folder, instant, now, lateReleases } = plan;
  const { database } = filesIn(folder);
  await noteProgress(folder, { step: 'copy', done: 0, total: 0 });
  if (env.database.dialect === 'sqlite') await copySqlite(env.database.file, database.file);
  else await copyPostgres(env.database.url, database.file, copiedRows(plan));
  await withScratch(databases, plan, async (scratch) => {
    await forgetSecrets(scratch);
    await noteProgress(folder, { step: 'publish', done: 0, total: 0 });
    // Also for a past instant: a trigger that is late publishes with the times for which things were scheduled.
    await publishAllDue(scratch, instant);
    if (instant >= now) return;
    let noted = -Infinity;
    await rewindSite(scratch, { instant, lateReleases }, async (done, total) => {
      if (performance.now() - noted < PROGRESS_EVERY_MS) return;
      noted = performance.now();
      await noteProgress(folder, { step: 'rewind', done, total });
    });
  });
}

async function noteProgress(folder: string, progress: SiteProgress): Promise<void> {
  await writeFile(path.join(folder, PROGRESS_FILE), JSON.stringify(progress));
}

/** What the process that makes a site has noted last; null before its first step. */
export async function readProgress(folder: string): Promise<SiteProgress | null> {
  const text = await readFile(path.join(folder, PROGRESS_FILE), 'utf8').catch(() => '');
  return progressSchema.safeParse(parseJson(text)).data ?? null;
}

/** Removes passwords, sessions, tokens and secret settings from a copy of the database that only shows the site. */
async function forgetSecrets(scratch: PublishingContext): Promise<void> {
  await changeHidden(scratch, async ({ tx }) => {
    await tx.session.deleteMany();
    await tx.userToken.deleteMany();
    // Nobody logs in to the copy.
    await tx.lease.deleteMany();
    await forgetEffects(tx);
    await tx.setting.deleteMany({ where: { key: { in: secretSettingKeys } } });
    await tx.user.updateMany({
      data: { passwordHash: null, totpSecret: null, totpConfirmedAt: null, recoveryCodes: null },
    });
  });
}

/**
 * Makes the search index of a prepared site. An embedded index is copied and updated with the posts that differ, unless
 * most do: then, and with another engine, all posts are indexed.
 */
async function prepareSiteSearch(databases: ReusedDatabases, plan: SitePlan): Promise<void> {
  const { search } = plan.env;
  const file = filesIn(plan.folder).search;
  const isCopied = search.kind === 'embedded' && (await copySqlite(search.file, file).then(yes, no));
  await withScratch(databases, plan, async (scratch) => {
    const differing = await scratch.db.searchOutbox.count();
    const posts = await scratch.db.sitemapEntry.count();
    if (isCopied && differing < posts) await drainOutbox(scratch, 'command');
    else {
      // The new index has what waits, too.
      await scratch.db.searchOutbox.deleteMany();
      await reindexPosts(scratch, { batchSize: 200 });
    }
  });
}

const yes = () => true;
const no = () => false;

/** Runs `work` on the copy with the clock at the instant, then closes the files. */
async function withScratch(
  databases: ReusedDatabases,
  { env, folder, instant }: SitePlan,
  work: (scratch: PublishingContext) => Promise<void>,
): Promise<void> {
  const files = filesIn(folder);
  const { db, close } = await databases.open(files.database.file);
  const search = createEmbeddedEngine(files.search);
  const drains = new BackgroundDrains();
  // No background drains: `prepareSiteSearch` makes the index when somebody searches.
  await drains.close();
  // A copy tells nobody outside of anything.
  const effects = new BackgroundEffects();
  await effects.close();
  const mediaStore = createMediaStore(env.mediaStore);
  try {
    await work({
      env: { ...env, database: files.database },
      db,
      clock: { now: () => new Date(instant) },
      log: createLog('silent', 2),
      search,
      mediaStore,
      pictureQueue: new Mutex(),
      drains,
      effects,
      workers: { renderMarkdown, mergeParagraphs },
    });
  } finally {
    mediaStore.close();
    await search.close();
    await close();
  }
}

const mergeParagraphs: Merging['workers']['mergeParagraphs'] = async (...texts) => {
  const { mergeParagraphs } = await import('#app/posts/history/merge-paragraphs.ts');
  return mergeParagraphs(...texts);
};

const renderMarkdown: Rendering['workers']['renderMarkdown'] = async (...input) => {
  // Most sites change no text until the instant.
  const markdown = await import('#app/posts/markdown/render.server.ts');
  return markdown.renderMarkdown(...input);
};
