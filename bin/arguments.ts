/** An option that names a folder or file: `--output ''` is a usage error, not the working directory. */
export const pathOption = (describe: string) =>
  ({
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe,
    coerce: (value: unknown): string => {
      if (typeof value === 'string' && value.trim() !== '') return value;
      throw new Error('Name one folder or file.');
    },
  }) as const;

/** The same for one that may be left out. */
export const optionalPathOption = (describe: string) =>
  ({ ...pathOption(describe), demandOption: false }) as const;

/**
 * An option that is there or not. Not yargs's own `boolean`: that takes every value but `true` for false, so
 * `--dry-run=yes` would be no dry run.
 */
export const flagOption = (describe: string) =>
  ({
    default: false,
    describe,
    coerce: (value: unknown): boolean => {
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      throw new Error('An option that is there or not takes no value.');
    },
  }) as const;
