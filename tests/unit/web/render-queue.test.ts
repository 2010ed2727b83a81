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

it('starts a few at once, then the hottest, and now and then who has waited longest', async () => {
  const [queue, order] = [new RenderQueue(), [] as string[]];
  const first = Array.from({ length: 4 }, (_, index) => gatedTask(`first ${index}`, order));
  const results = first.map(({ run }) => queue.run(run));
  const heats = { cold: 0, warm: 3, hot: 9, hotter: 10, hottest: 11 };
  const later = Object.entries(heats).map(([name, heat]) => queue.run(gatedTask(name, order).run, heat));
  expect(order).toHaveLength(4);
  expect(later).toHaveLength(5);
  for (const { end } of first) end();
  expect(await Promise.all(results)).toEqual(first.map((_, index) => `first ${index}`));
  await expect.poll(() => order.slice(4)).toEqual(['hottest', 'hotter', 'hot', 'cold']);
});

it('works ahead only while nobody waits, and a failure takes no turn away', async () => {
  const [queue, order] = [new RenderQueue(), [] as string[]];
  const gate = gatedTask('reader', order);
  const reader = queue.run(gate.run);
  queue.whileIdle(['a', 'b'].map((name) => async () => order.push(name)));
  await expect(queue.run(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(order).toEqual(['reader']);
  gate.end();
  await reader;
  await expect.poll(() => order).toEqual(['reader', 'a', 'b']);
});
