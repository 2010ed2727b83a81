// Everything that readers can see is written in app/publishing, and only there.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

const sources = readdirSync(path.join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file: `app/${file}`, text: readFileSync(path.join(projectRoot, 'app', file), 'utf8') }));

const WRITE = String.raw`\s*\.(?:create|update|delete|upsert)(?:Many)?(?:AndReturn)?\(`;
const writesOf = (models: string) => new RegExp(String.raw`\.(?:${models})${WRITE}`);
const filesThat = (pattern: RegExp, allowed: (file: string) => boolean) =>
  sources.filter(({ file, text }) => pattern.test(text) && !allowed(file)).map(({ file }) => file);
/** An import writes with the means of app/publishing. What app/time-travel writes is a copy of the site. */
const writers = [
  'app/publishing/',
  'app/import/run/write.server.ts',
  'app/time-travel/prepare-site.server.ts',
  'app/time-travel/rewind/',
];
const isPublishing = (file: string) => writers.some((writer) => file.startsWith(writer));

it('posts, terms and redirects are written by app/publishing alone', () => {
  const models = 'post|postTag|category|tag|redirect|scheduledUpdate|comment|textChange';
  expect(filesThat(writesOf(models), isPublishing)).toEqual([]);
});

it('settings are written by app/publishing alone, but for the defaults of a new instance', () => {
  const isSeed = (file: string) => file === 'app/settings/seed.server.ts';
  expect(filesThat(writesOf('setting'), (file) => isPublishing(file) || isSeed(file))).toEqual([]);
});

it('sitemap rows and the content version are written in one file', () => {
  const isOwner = (file: string) => file === 'app/publishing/change/public-effects.server.ts';
  const sitemap =
    /(?:sitemapEntry|authorPost)\s*\.(?:create|update|upsert)\w*\(|'(?:sitemap_entries|author_posts)', \w+Columns/;
  expect(filesThat(sitemap, isOwner)).toEqual([]);
  expect(filesThat(/contentVersion: \{ increment|SET\s+"?content_version/i, isOwner)).toEqual([]);
});

it('those who raise the content version are the content writes', () => {
  const writes = ['app/publishing/change/public-change.server.ts'];
  const isKnown = (file: string) => file.endsWith('public-effects.server.ts') || writes.includes(file);
  expect(filesThat(/raiseContentVersion|insertSitemapEntries/, isKnown)).toEqual([]);
});

it('statements of our own write none of these tables elsewhere', () => {
  const tables =
    'posts|post_tags|post_counts|tag_posts|file_mentions|comments|post_authors|author_posts|categories|tags|redirects|settings|sitemap_entries|content_changes|site_state';
  const raw = new RegExp(`(?:INSERT INTO|UPDATE|DELETE FROM)\\s+"?(?:${tables})\\b`, 'i');
  expect(filesThat(raw, isPublishing)).toEqual([]);
});

it('in app/publishing every transaction on these tables is a content write', () => {
  const isNoContent = /\/(?:posts\/autosave|post-row\/kept-texts|change\/rebuild-counts)\.server\.ts$/;
  const opensOwn = /inTransaction\(|\$transaction\(/;
  const known = (file: string) =>
    !isPublishing(file) || isNoContent.test(file) || file === 'app/publishing/change/public-change.server.ts';
  expect(filesThat(opensOwn, known)).toEqual([]);
});
