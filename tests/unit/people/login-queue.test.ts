import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoginQueue } from '#app/people/passwords/queue.server.ts';

test('takes addresses in turn, one check of each at a time, and no more at once than it has slots', async () => {
  const queue = new LoginQueue(2);
  const order: string[] = [];
  const running: string[] = [];
  const check = (address: string) =>
    queue.run(address, async () => {
      order.push(address);
      running.push(address);
      expect(running.length).toBeLessThanOrEqual(2);
      expect(new Set(running).size).toBe(running.length);
      await turn();
      running.splice(running.indexOf(address), 1);
    });
  const flood = Array.from({ length: 20 }, () => check('attacker'));
  await Promise.all([...flood, check('owner'), check('editor')]);
  // Whoever came last did not wait for the flood.
  expect(order.indexOf('owner')).toBeLessThanOrEqual(2);
  expect(order.indexOf('editor')).toBeLessThanOrEqual(4);
  expect(order).toHaveLength(22);
});

test('refuses beyond what one address may have waiting, and goes on after failures', async () => {
  const queue = new LoginQueue(1);
  const failing = Array.from({ length: 150 }, () => queue.run('a', () => Promise.reject(new Error('wrong'))));
  const ends = await Promise.allSettled(failing);
  const reasons = ends.map((end) => (end.status === 'rejected' ? (end.reason as Error).message : 'in'));
  expect(reasons.filter((reason) => reason === 'wrong').length).toBeGreaterThanOrEqual(100);
  expect(reasons.filter((reason) => reason.startsWith('Too many attempts'))).not.toHaveLength(0);
  await expect(queue.run('a', () => Promise.resolve('in'))).resolves.toBe('in');
});
