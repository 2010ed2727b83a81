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
