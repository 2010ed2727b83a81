import { application } from './project.server.ts';

/** The last migration of each version that was released, oldest first. A release adds its own line. */
const lastMigrations: readonly (readonly [version: string, migration: string])[] = [
  ['1.0.0', '20261128171000_fewer_statements_in_triggers'],
];

/** The version that brought a migration; what no release has yet comes with this version. */
export function versionOfMigration(name: string): string {
  return lastMigrations.find(([, last]) => name <= last)?.[0] ?? application.version;
}

/** What the record of an applied migration says, so that an older version can name the one that is needed. */
export function versionRecord(name: string): string {
  return `Dateline ${versionOfMigration(name)}`;
}

/** The version in such a record. */
export function versionInRecord(record: string | null): string | undefined {
  return /^Dateline (\d{1,9}\.\d{1,9}\.\d{1,9}\S{0,50})$/.exec(record ?? '')?.[1];
}

/** Whether a version is later than another: what is before a hyphen decides. */
export function isLaterVersion(version: string, other: string): boolean {
  const numbers = (text: string) => text.split(/[-+]/)[0]!.split('.').map(Number);
  const [left, right] = [numbers(version), numbers(other)];
  const index = left.findIndex((number, at) => number !== right[at]);
  return index !== -1 && left[index]! > (right[index] ?? 0);
}

/** What to install where migrations or backups come from a later version. */
export function laterVersion(version: string | undefined): string {
  return version && isLaterVersion(version, application.version)
    ? `Dateline ${version} or newer`
    : `the newer version (this is Dateline ${application.version})`;
}
