import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than 20 seconds in CI, the longest of each group first. */
export const longest = [
  'cli/backup-prove',
  'integration/query-plans',
  'http/time-travel',
  'http/backup-crash',
  'integration/backup-beside-others',
  'integration/search-rebuild-killed',
  'http/hostile-previews',
  'integration/search-overtaking',
  'http/database-outage',
  'http/cached-answers',
  'integration/backup-import',
  'integration/media-store',
  'cli/content',
  'http/embargo',
  'integration/search-follows',
  'http/assets',
  'integration/search-outage',
  'cli/media-move',
  'cli/incomplete-input',
  'browser/axe',
  'faults/rolling-upgrade',
  'faults/flood',
  'browser/no-text-lost',
  'faults/cluster',
  'browser/editor-saving',
  'browser/appearance',
  'faults/release-killed',
  'faults/point-in-time',
  'browser/live-blocks',
  'faults/release-contention',
  'browser/editor-chaos',
  'browser/journey',
];

/** Begins with the long files: a long file that begins last leaves all other workers without work. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
