import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than 20 seconds in CI, the longest of each group first. */
export const longest = [
  'cli/backup-prove',
  'integration/platform/query-plans',
  'http/time-travel',
  'integration/backup/backup-beside-others',
  'integration/platform/statement-time-limit',
  'integration/search/search-rebuild-killed',
  'cli/bad-input',
  'cli/content',
  'integration/search/search-overtaking',
  'http/database-outage',
  'http/publish-exactly-once',
  'http/releases-blocked',
  'http/backup-crash',
  'http/hostile-previews',
  'integration/backup/backup-round-trip',
  'cli/incomplete-input',
  'http/cached-answers',
  'integration/time-travel/time-travel',
  'cli/backup',
  'integration/media/media-store',
  'cli/import-summary',
  'cli/search',
  'http/assets',
  'cli/backup-audit-log',
  'cli/media-move',
  'http/form-cost',
  'integration/releases/releases-move-pages',
  'http/embargo',
  'http/time-travel-processes',
  'integration/backup/backup-import',
  'integration/backup/imports-full-disk',
  'integration/search/search-follows',
  'browser/axe',
  'faults/rolling-upgrade',
  'faults/cluster',
  'browser/editor-saving',
  'faults/flood',
  'faults/backfill',
  'browser/no-text-lost',
  'browser/save-status',
  'browser/writing',
  'browser/live-editor',
  'browser/appearance',
  'browser/saved-elsewhere',
  'faults/release-killed',
  'browser/device-texts',
  'browser/journey',
  'browser/editor-tools',
  'faults/point-in-time',
  'browser/editor-keyboard',
  'browser/editor-chaos',
  'browser/live-text',
  'browser/live-blocks',
  'faults/release-contention',
  'browser/lost-scripts',
  'browser/pasted-blocks',
  'browser/live-files',
  'faults/soak',
];

/** The position of a file in a list of such names; -1 if it is not there. */
const indexIn = (names: readonly string[], { moduleId }: TestSpecification) =>
  names.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));

/**
 * Begins with the long files: a long file that begins last leaves all other workers without work.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = (file: TestSpecification) => {
      const index = indexIn(longest, file);
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
