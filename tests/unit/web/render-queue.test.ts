import { expect, it } from 'vitest';
import { RenderQueue } from '#app/web/cache/render-queue.ts';
import { closedGate } from '#tests/support/gate.ts';

function gatedTask(name: string, order: string[]) {
  const gate = closedGate();
  const run = async () => {
    order.push(name);
    await gate.passed;
    return name;
  };
  return { run, end: gate.open };
}

it('starts a few at once, and the others in their order', async () => {
  const [queue, order] = [new RenderQueue(), [] as string[]];
  const first = Array.from({ length: 4 }, (_, index) => gatedTask(`first ${index}`, order));
  const results = first.map(({ run }) => queue.run(run));
  const later = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.run(gatedTask(name, order).run));
  expect(order).toHaveLength(4);
  expect(later).toHaveLength(5);
  for (const { end } of first) end();
  expect(await Promise.all(results)).toEqual(first.map((_, index) => `first ${index}`));
  await expect.poll(() => order.slice(4)).toEqual(['a', 'b', 'c', 'd']);
});

it('gives the turn of a render that fails to the next one', async () => {
  const queue = new RenderQueue();
  const failures = Array.from({ length: 5 }, () => queue.run(() => Promise.reject(new Error('down'))));
  expect((await Promise.allSettled(failures)).map(({ status }) => status)).toEqual(
    Array.from({ length: 5 }, () => 'rejected'),
  );
  expect(await queue.run(async () => 'up')).toBe('up');
});

it('sends what is finished between two renders', async () => {
  const [queue, order] = [new RenderQueue(), [] as string[]];
  const renders = Array.from({ length: 5 }, (_, index) =>
    queue.run(async () => order.push(`render ${index}`)),
  );
  setImmediate(() => order.push('answer'));
  await Promise.all(renders);
  expect(order.indexOf('answer')).toBeLessThan(order.indexOf('render 4'));
});
