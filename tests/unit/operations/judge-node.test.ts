import { expect, test } from 'vitest';
import { judgeNode } from '#app/operations/doctor.server.ts';

test.each([
  ['v18.20.0', 'problem'],
  ['v20.20.2', 'warning'],
  ['v22.23.3', 'ok'],
  ['v24.18.0', 'ok'],
  ['v24.21.0', 'warning'],
  ['v26.0.0', 'warning'],
])('Node %s is a %s', (version, status) => {
  const finding = judgeNode(version);
  expect([finding.status, finding.message.includes(version)]).toEqual([status, true]);
});
