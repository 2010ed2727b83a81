import { test } from 'vitest';

type Night = (name: string, run: () => Promise<void>) => void;

/** A test that runs at night alone (`NIGHTLY=1`): others of its file inject the same kind of fault at each commit. */
export const testAtNight: Night = process.env.NIGHTLY ? (name, run) => test(name, run) : () => {};

/** Those of each commit, and the others at night. */
export const moreAtNight = <T>(always: readonly T[], more: readonly T[]): readonly T[] =>
  process.env.NIGHTLY ? [...always, ...more] : always;
