import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than a minute in CI, the longest first. */
export const longest = [
  'faults/flood',
  'browser/axe',
  'browser/no-text-lost',
  'integration/query-plans',
  'http/backup-crash',
  'cli/backup-prove',
  'browser/journey',
  'faults/release-killed',
  'http/cached-answers',
  'browser/live-blocks',
  'faults/release-contention',
  'browser/appearance',
  'browser/editor-saving',
  'faults/stop',
  'http/publish-exactly-once',
  'browser/live-editor',
  'faults/cluster',
  'http/time-travel',
  'http/embargo',
  'http/hostile-previews',
];

/** Begins with the long files: one that begins last keeps all but one worker waiting for its end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
