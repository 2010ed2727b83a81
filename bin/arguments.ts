import { readMediaAddress } from '#app/platform/media-target.server.ts';

/** The command was called in a wrong way: its usage is shown, and the exit code is 2. */
export class UsageError extends Error {}

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

/** An option that names a media store; an address that cannot be one is a usage error. */
export const storeOption = (describe: string) =>
  ({
    ...pathOption(describe),
    coerce: (value: unknown): string => {
      const address = pathOption(describe).coerce(value);
      readMediaAddress(address, '--to');
      return address;
    },
  }) as const;

/**
 * An option that names a folder or bucket to write to; another kind of address is a usage error, not a folder of that
 * name.
 */
export const placeOption = (describe: string) =>
  ({
    ...pathOption(describe),
    coerce: (value: unknown): string => {
      const place = pathOption(describe).coerce(value);
      if (/^(file|s3):/.test(place)) readMediaAddress(place, '--to');
      else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place))
        throw new Error('Name one folder, or s3://bucket/folder?endpoint=…&region=….');
      return place;
    },
  }) as const;

/** A `pathOption` that may be left out. */
export const optionalPathOption = (describe: string) =>
  ({ ...pathOption(describe), demandOption: false }) as const;

/** A whole number that may be left out. */
export const countOption = (describe: string) =>
  ({
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: unknown): number | undefined => {
      if (value === undefined) return undefined;
      if (typeof value === 'string' && /^\d{1,4}$/.test(value)) return Number(value);
      throw new Error('Give a whole number from 0 to 9999.');
    },
  }) as const;

/** An option without a value. */
export const flagOption = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

/**
 * The name of an option that is given more than once, which is ambiguous. Looks at the arguments as they
 * were typed, since yargs makes a list of a repeated value and drops a repeated flag.
 */
export function repeatedOption(given: string[]): string | undefined {
  const names = given.flatMap((argument) => optionName(argument) ?? []);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** `--dryRun`, `--no-dry-run` and `--dry-run=true` are all `dry-run`. */
function optionName(argument: string): string | undefined {
  const [, name] = /^--(?:no-)?([^=]+)/.exec(argument) ?? [];
  return name?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Refuses a flag with a value that is neither true nor false: yargs takes any for false, so `--dry-run=yes` would be
 * no dry run.
 */
export function checkFlags(parsed: Record<string, unknown>, given: string[]): true {
  for (const argument of given) {
    const [, name = '', value = ''] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(argument) ?? [];
    if (typeof parsed[name] === 'boolean' && value !== 'true' && value !== 'false')
      throw new Error(`--${name} takes no value.`);
  }
  return true;
}
