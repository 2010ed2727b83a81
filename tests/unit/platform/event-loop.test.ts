import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { yieldAfterLongWork, yieldToEventLoop } from '#app/platform/jobs/event-loop.server.ts';

it('one piece of work that has yielded goes on in each turn of the event loop, in order', async () => {
  const order: string[] = [];
  const work = [1, 2, 3, 4].map(async (number) => {
    await yieldToEventLoop();
    order.push(`work ${number}`);
  });
  let turns = 0;
  const others = (async () => {
    while (order.length < 4 + turns) {
      await nextTurn();
      turns += 1;
      order.push('other');
      if (order.length >= 8) break;
    }
  })();
  await Promise.all([...work, others]);
  // Before, all four went on in the first turn, and everything else waited for them.
  expect(order.slice(0, 7)).toEqual(['work 1', 'other', 'work 2', 'other', 'work 3', 'other', 'work 4']);
});

it('work that yields again waits behind what has yielded before', async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (const step of [1, 2]) {
      await yieldToEventLoop();
      order.push(name + step);
    }
  };
  await Promise.all([work('a'), work('b')]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
});

it('work yields once its turn has lasted five milliseconds, and not before', async () => {
  await nextTurn();
  let turns = 0;
  const count = () => {
    turns += 1;
    if (turns < 100) setImmediate(count);
  };
  await yieldAfterLongWork();
  setImmediate(count);
  await yieldAfterLongWork();
  expect(turns).toBe(0);
  const began = performance.now();
  while (performance.now() - began < 6);
  await yieldAfterLongWork();
  expect(turns).toBe(1);
  await yieldAfterLongWork();
  expect(turns).toBe(1);
});
