import { expect, test } from 'vitest';
import { sharedByVersion } from '#app/platform/versioned-cache.ts';

test('a value is read once for a version, and anew for the next, for another key and for another owner', async () => {
  const [owner, other] = [{ db: {} }, { db: {} }];
  let reads = 0;
  const read = async () => (reads += 1);
  expect(await Promise.all([1, 1].map((version) => sharedByVersion(owner, version, 'a', read)))).toEqual([
    1, 1,
  ]);
  expect(await sharedByVersion(owner, 1, 'b', read)).toBe(2);
  expect(await sharedByVersion(other, 1, 'a', read)).toBe(3);
  expect(await sharedByVersion(owner, 2, 'a', read)).toBe(4);
  expect(await sharedByVersion(owner, 2, 'a', read)).toBe(4);
});

test('without a version nothing is shared', async () => {
  let reads = 0;
  const read = async () => (reads += 1);
  const owner = { db: {} };
  expect(await sharedByVersion(owner, undefined, 'a', read)).toBe(1);
  expect(await sharedByVersion(owner, undefined, 'a', read)).toBe(2);
});

test('a failure is not kept', async () => {
  const owner = { db: {} };
  await expect(sharedByVersion(owner, 1, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow(
    'down',
  );
  expect(await sharedByVersion(owner, 1, 'a', async () => 'up')).toBe('up');
});
