import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Seconds that each test file took in the last run whose report `tests/times.mjs` has read. */
export const secondsOf = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'times.json'), 'utf8'),
) as Record<string, number>;

/** What takes at most this long runs everywhere. A new file counts as quick. */
const QUICK_SECONDS = 7;

/** What works on both databases and takes at most this long runs at each commit on SQLite alone. */
const SQLITE_SECONDS = 15;

/** What a file of `atEachCommit` holds. */
type Reason = string;

/**
 * Slow files that CI runs at each commit: each is the one that injects its kind of fault, or holds what changes break
 * most. More seeds, rounds and databases of the same run at night (`NIGHTLY=1`).
 */
const atEachCommit: Record<Reason, string[]> = {
  'processes killed': [
    'faults/release-killed',
    'http/backup-crash',
    'http/publish-exactly-once',
    'http/time-travel-processes',
    'integration/search/search-rebuild-killed',
    'integration/workers/worker-threads',
  ],
  'databases and engines that are down, frozen, slow or full': [
    'faults/connections',
    'faults/disk-and-clock',
    'faults/failover',
    'faults/pgbouncer',
    'faults/postgres',
    'http/database-outage',
    'http/publish-failures',
    'integration/backup/imports-full-disk',
    'integration/platform/statement-time-limit',
    'integration/publishing/publish-failures',
  ],
  'floods, crowds and hostile input': [
    'faults/flood',
    'faults/many-parts',
    'faults/nested-imports',
    'faults/release-contention',
    'faults/sqlite-crowd',
    'faults/stale-saves',
    'http/login-flood',
    'http/request-guard',
    'integration/import/import-hostile-archives',
    'unit/import/hostile-text',
    'unit/posts/markdown-limits',
  ],
  'restarts, restores and older versions': [
    'faults/point-in-time',
    'faults/stop',
    'http/moved-database',
    'http/refused-start',
    'http/restored-database',
    'integration/backup/backup-beside-others',
    'integration/backup/backup-round-trip',
    'integration/platform/database-migrations',
  ],
  'networks, browsers and people that are late, twice or gone': [
    'browser/early-input',
    'browser/editor-chaos',
    'browser/late-content',
    'browser/lost-answers',
    'browser/lost-scripts',
    'browser/no-text-lost',
    'browser/proxies',
    'browser/scheduled-chaos',
    'http/release-conflicts',
    'integration/publishing/publish-at-once',
    'integration/publishing/publish-conflicts',
  ],
  'what may not be seen': ['http/embargo', 'http/releases-rights', 'http/roles-posts', 'http/roles-screens'],
  'what changes break most': [
    'browser/client-code',
    'browser/journey',
    'browser/reader-pages',
    'browser/site/newsletter',
    'browser/smoke',
    'cli/doctor-server',
    'cli/release/archive',
    'http/appearance',
    'http/autosave',
    'http/cached-answers',
    'http/first-publication',
    'http/json-answers',
    'http/media',
    'http/other-spellings',
    'http/people',
    'http/publish-page',
    'http/publishing-forms',
    'http/releases',
    'http/scheduled-text',
    'http/search',
    'http/site-languages',
    'http/site-structure',
    'http/site-view',
    'http/trash',
    'integration/platform/query-plans',
    'integration/publishing/publish-save',
    'integration/publishing/publish-scheduled-updates',
    'integration/publishing/publish-trigger',
  ],
};

/** The same, on SQLite alone. */
const onSqliteAtEachCommit = [
  'cli/backup',
  'cli/commands',
  'cli/operators',
  'http/write-schedule-publish',
  'integration/backup/backup-tampering',
  'integration/effects/alerts',
  'integration/effects/webhooks',
  'integration/import/content-import',
  'integration/newsletter/newsletter',
  'integration/people/login-safety',
  'integration/releases/releases',
  'integration/search/search-outage',
  'integration/time-travel/time-travel',
];

const pathOf = (name: string) => `tests/${name}.test.ts`;

/** The named ones as paths. */
export const namedFiles = [...Object.values(atEachCommit).flat(), ...onSqliteAtEachCommit].map(pathOf);

/** Files that `npm test` leaves out. */
export const slowFiles = Object.keys(secondsOf).filter((file) => secondsOf[file]! > QUICK_SECONDS);

const unnamed = slowFiles.filter((file) => !namedFiles.includes(file));

/** Files that CI runs on SQLite alone. */
export const sqliteFiles = [
  ...onSqliteAtEachCommit.map(pathOf),
  ...unnamed.filter((file) => file.startsWith('tests/integration/') && secondsOf[file]! <= SQLITE_SECONDS),
];

/** Files that CI leaves to `npm run test:nightly`. */
export const nightlyFiles = unnamed.filter((file) => !sqliteFiles.includes(file));

/** Seconds of all files that CI runs, one after the other; those on SQLite alone count half. */
export function secondsAtEachCommit(root: string): number {
  const files = Object.keys(secondsOf).filter((file) => existsSync(path.join(root, file)));
  const chosen = files.filter((file) => !nightlyFiles.includes(file));
  return chosen.reduce((sum, file) => sum + secondsOf[file]! / (sqliteFiles.includes(file) ? 2 : 1), 0);
}

/** Minutes that `npm test` takes on a machine with nothing else to do, in which a core each runs a file. */
export function quickMinutes(root: string, cores: number): number {
  const files = Object.keys(secondsOf).filter(
    (file) => !/^tests\/(browser|faults)\//.test(file) && !slowFiles.includes(file),
  );
  const work = files
    .filter((file) => existsSync(path.join(root, file)))
    .reduce((sum, file) => sum + secondsOf[file]!, 0);
  return Math.ceil(work / cores / 60);
}
