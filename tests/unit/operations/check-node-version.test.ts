import { expect, test } from 'vitest';
import { checkNodeVersion } from '#app/operations/doctor.server.ts';

const downloaded = Buffer.from('\0AddEnvironmentCleanupHook\0');
const compiledForNewer = Buffer.from('\0_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0');

test.each([
  ['v18.20.0', downloaded, 'problem'],
  ['v20.20.2', downloaded, 'warning'],
  ['v22.23.3', downloaded, 'ok'],
  ['v24.21.0', downloaded, 'ok'],
  ['v24.21.0', compiledForNewer, 'warning'],
  ['v26.0.0', downloaded, 'warning'],
])('Node %s with this better-sqlite3 is a finding', (version, addon, status) => {
  const finding = checkNodeVersion(version, addon);
  expect([finding.status, finding.message.includes(version)]).toEqual([status, true]);
});
