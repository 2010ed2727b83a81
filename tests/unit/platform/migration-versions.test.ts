import { expect, test } from 'vitest';
import {
  migrationsOf,
  isLaterVersion,
  laterVersion,
  versionInRecord,
  versionOfMigration,
  versionRecord,
} from '#app/platform/database/migrations.server.ts';
import { application } from '#app/platform/project.server.ts';

test('every migration knows the version that brought it, and so does its record', () => {
  for (const { name } of migrationsOf('sqlite')) {
    expect(versionOfMigration(name)).toBe('1.0.0');
    expect(versionInRecord(versionRecord(name))).toBe('1.0.0');
  }
  expect(versionOfMigration('29991231000000_later')).toBe(application.version);
});

test('other records name no version', () => {
  for (const record of [null, '', '{"done":3}', 'Dateline', 'Dateline 1.0'])
    expect(versionInRecord(record)).toBeUndefined();
});

test.each([
  ['1.0.1', '1.0.0', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0-rc.1', '1.9.9', true],
  ['1.0.0', '1.0.0', false],
  ['0.9.9', '1.0.0', false],
])('%s is later than %s: %s', (version, other, expected) => {
  expect(isLaterVersion(version, other)).toBe(expected);
});

test('what to install is a version that exists', () => {
  expect(laterVersion('99.1.0')).toBe('Dateline 99.1.0 or newer');
  for (const none of [undefined, application.version, '0.1.0'])
    expect(laterVersion(none)).toBe(`the newer version (this is Dateline ${application.version})`);
});
