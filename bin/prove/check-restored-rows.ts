import type { App } from '#app/app.ts';
import type { Manifest } from '#app/backup/format/manifest.ts';
import { businessTables } from '#app/backup/format/tables.ts';
import { delegateOf } from '#app/backup/write/snapshot.server.ts';
import { mentionedAs, pathsOf } from '#app/media/library/queries.server.ts';
import { isHome } from '#app/posts/paths.ts';
import { settingKeys } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { checkPlausibleRows } from './check-plausible-rows.ts';
import { checkPostText } from './check-post-texts.ts';
import type { ProblemList } from './problem-list.ts';

const PAGE = 500;

/** What the restored site must show. */
export interface Expected {
  adminPath: string;
  /** Addresses of published posts and pages → title. */
  titles: Map<string, string>;
}

/** Compares the restored rows and files with the manifest and with the product's rules. */
export async function checkRestoredRows(
  app: App,
  manifest: Manifest,
  problems: ProblemList,
): Promise<Expected> {
  await compareCounts(app, manifest, problems);
  await checkSettings(app, problems);
  const files = await readMediaFiles(app, manifest, problems);
  await checkPlausibleRows(app, problems);
  const administrators = await app.db.user.count({ where: { role: 'administrator', disabledAt: null } });
  if (administrators === 0) problems.add('No administrator in the backup can log in.');
  const { admin_path: adminPath, home_page: home } = await readSettings(app);
  return { adminPath, titles: await checkPublished(app, { files, home, problems }) };
}

// An import leaves out redacted secrets on purpose.
async function compareCounts(app: App, manifest: Manifest, problems: ProblemList): Promise<void> {
  for (const { name, rows } of manifest.tables) {
    const table = businessTables.find((each) => each.name === name);
    if (!table) continue; // A table of an older version: migrations have moved its rows.
    const expected = name === 'settings' ? rows - manifest.redactedSecretKeys.length : rows;
    const restored = await delegateOf(app.db, table).count();
    if (restored !== expected)
      problems.add(`${name}: ${restored} rows were restored, manifest.json says ${rows}.`);
  }
}

async function checkSettings(app: App, problems: ProblemList): Promise<void> {
  const known = new Set<string>(settingKeys);
  for (const { key } of await app.db.setting.findMany())
    if (!known.has(key)) problems.add(`The setting ${key} is unknown.`);
}

/** The media files of a backup: those in the manifest, and those that the media library describes. */
interface MediaFiles {
  saved: Set<string>;
  /** The part of each name that a file shares with its smaller copies. */
  described: Set<string>;
}

async function readMediaFiles(app: App, manifest: Manifest, problems: ProblemList): Promise<MediaFiles> {
  const saved = new Set(manifest.media.map(({ path }) => path));
  const described = new Set<string>();
  let after = '';
  for (;;) {
    const rows = await app.db.media.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    if (rows.length === 0) return { saved, described };
    for (const row of rows) {
      described.add(mentionedAs(row));
      for (const path of pathsOf(row))
        if (!saved.has(path)) problems.add(`The media library names ${path}, which is not in the backup.`);
    }
    after = rows.at(-1)!.id;
  }
}

/**
 * Checks the HTML and files of each published post.
 * @param input.home id of the page that is the home: its own address redirects to `/`
 * @returns titles by address
 */
async function checkPublished(
  app: App,
  { files, home, problems }: { files: MediaFiles; home: string; problems: ProblemList },
): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  const now = app.clock.now();
  let after = '';
  for (;;) {
    const posts = await app.db.post.findMany({
      where: { status: 'published', id: { gt: after } },
      select: {
        ...{ id: true, slug: true, title: true, publishedAt: true },
        ...{ body: true, bodyHtml: true, language: true },
      },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    if (posts.length === 0) return titles;
    const entries = await app.db.sitemapEntry.findMany({
      where: { postId: { in: posts.map(({ id }) => id) } },
    });
    const paths = new Map(entries.map(({ postId, path }) => [postId, path]));
    for (const post of posts) {
      const { id, slug, title, publishedAt } = post;
      const path = paths.get(id);
      if (path === undefined) problems.add(`The post ${slug} is published but has no public address.`);
      else titles.set(isHome(post, home) ? '/' : path, title);
      if (publishedAt === null || publishedAt > now)
        problems.add(`The post ${slug} is published without a time, or before its time.`);
      await checkPostText(app, post, problems);
      for (const file of filesWithoutRow(post.body, files))
        problems.add(`The post ${slug} names /uploads/${file}, which the media library does not have.`);
    }
    after = posts.at(-1)!.id;
  }
}

/** Uploaded files in a text that no row of the library describes. Files with other names were not uploaded here. */
function filesWithoutRow(body: string, { saved, described }: MediaFiles): string[] {
  const named = [...body.matchAll(/\/uploads\/(\d{4}\/\d\d\/[\da-f]{32}[\w.-]*)/g)].map(([, path]) => path!);
  return named.filter((path) => saved.has(path) && !described.has(mentionedAs({ path })));
}
