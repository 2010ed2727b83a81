import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { secondsOf } from '../plan.ts';

/** Seconds that the file took in the last run; 0 if it is new. */
const secondsOfFile = ({ moduleId }: TestSpecification) =>
  secondsOf[moduleId.slice(moduleId.lastIndexOf('/tests/') + 1)] ?? 0;

/**
 * Begins with the long files: a long file that begins last leaves all other workers without work.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => secondsOfFile(other) - secondsOfFile(one));
  }
}
