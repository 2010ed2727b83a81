import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BackgroundDrains, type DrainApp } from '#app/search/drain.server.ts';

test('drains that are closed answer at once: a site at a past instant makes one change for each post', async () => {
  const drains = new BackgroundDrains();
  await drains.close();
  const app = {} as DrainApp;
  const answer = await Promise.race([drains.request(app), nextTurn('still waits')]);
  expect(answer).toBeUndefined();
});
