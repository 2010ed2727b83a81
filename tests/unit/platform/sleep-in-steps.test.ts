import { expect, it } from 'vitest';
import { yieldToEventLoop } from '#app/platform/jobs/event-loop.server.ts';
import { sleepInSteps } from '#app/platform/jobs/sleep-in-steps.server.ts';

it('an answer of some turns is not late because this process was held longer than it would wait', async () => {
  const late = sleepInSteps(20).then(() => 'late');
  const answer = (async () => {
    for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop();
    return 'answer';
  })();
  const held = performance.now() + 200;
  while (performance.now() < held);
  expect(await Promise.race([answer, late])).toBe('answer');
  expect(await late).toBe('late');
});
