import { readMediaAddress } from '#app/platform/media-target.server.ts';

/** A wrong call of a command: the command shows its usage and exits with code 2. */
export class UsageError extends Error {}

/** An option by its name. The functions below need the name too, since their error messages contain it. */
const named = <Name extends string, Option>(name: Name, option: Option) =>
  ({ [name]: option }) as Record<Name, Option>;

type PathKind = 'folder' | 'file' | 'folder or file';

/** An option that names a folder or file: `--output ''` is a usage error, not the working directory. */
export const pathOption = <Name extends string>(name: Name, kind: PathKind, describe: string) =>
  named(name, { ...pathValue(name, kind, describe), demandOption: true } as const);

/** An optional `pathOption`. */
export const optionalPathOption = <Name extends string>(name: Name, kind: PathKind, describe: string) =>
  named(name, pathValue(name, kind, describe));

const pathValue = (name: string, kind: PathKind, describe: string) =>
  ({
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: string): string => {
      if (value.trim() !== '') return value;
      throw new Error(`--${name} takes one ${kind}.`);
    },
  }) as const;

/** An option that names a media store; any other address is a usage error. */
export const storeOption = <Name extends string>(name: Name, describe: string) =>
  named(name, {
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe,
    coerce: (address: string): string => {
      readMediaAddress(address, `--${name}`);
      return address;
    },
  } as const);

/** The options that name a backup to read: a folder, an archive or an address in a bucket, and what opens it. */
export const backupInputOptions = {
  input: {
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe: 'Backup: a folder, a .tar or .tar.age file, or s3://bucket/folder/name?endpoint=…&region=…',
    coerce: (address: string): string => {
      if (address.startsWith('s3:')) readMediaAddress(address, '--input');
      else if (address.trim() === '') throw new Error('--input takes one folder or file.');
      return address;
    },
  },
  ...optionalPathOption('identity', 'file', 'File of age-keygen that opens an encrypted backup'),
  ...optionalPathOption('passphrase-file', 'file', 'File with the passphrase that opens an encrypted backup'),
} as const;

/**
 * An option that names a folder or bucket to write to. An address of another kind is a usage error: it must not become
 * the name of a folder.
 */
export const targetOption = <Name extends string>(name: Name, describe: string) =>
  named(name, {
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe,
    coerce: (address: string): string => {
      if (/^(file|s3):/.test(address)) readMediaAddress(address, `--${name}`);
      else if (address.trim() === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address))
        throw new Error(`--${name} takes one folder, or s3://bucket/folder?endpoint=…&region=….`);
      return address;
    },
  } as const);

/** An optional whole number. */
export const countOption = <Name extends string>(
  name: Name,
  describe: string,
  { from = 0, to = 9999 }: { from?: number; to?: number } = {},
) =>
  named(name, {
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: string | undefined): number | undefined => {
      if (value === undefined) return undefined;
      const count = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
      if (count >= from && count <= to) return count;
      throw new Error(`--${name} takes a whole number from ${from} to ${to}.`);
    },
  } as const);

/** An option without a value. */
export const flagOption = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

/**
 * The name of an option that is given more than once, which is ambiguous. Reads the arguments before yargs parses them:
 * yargs makes a list of a repeated value and drops a repeated flag.
 */
export function repeatedOption(rawArguments: string[]): string | undefined {
  const names = rawArguments.flatMap((argument) => optionName(argument) ?? []);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** `--dryRun`, `--no-dry-run` and `--dry-run=true` are all `dry-run`. */
function optionName(argument: string): string | undefined {
  const [, name] = /^--(?:no-)?([^=]+)/.exec(argument) ?? [];
  return name?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Refuses a flag with a value other than true and false. Yargs takes any other value for false, so `--dry-run=yes`
 * would change data.
 */
export function checkFlags(parsed: Record<string, unknown>, rawArguments: string[]): true {
  for (const argument of rawArguments) {
    const [, name = '', value = ''] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(argument) ?? [];
    if (typeof parsed[name] === 'boolean' && value !== 'true' && value !== 'false')
      throw new Error(`--${name} takes no value.`);
  }
  return true;
}
