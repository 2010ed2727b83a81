import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';
import { hostileMarkdown } from '#tests/support/hostile-markdown.ts';

const REPETITIONS = 1_000;

/** Processor time in milliseconds, the smaller of two: what another test takes beside it does not count. */
async function costOf(text: string): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < 2; run += 1) {
    const before = process.cpuUsage();
    await renderMarkdown(text);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  return Math.min(...costs);
}

test.each(Object.entries(hostileMarkdown))(
  '%s: four times the text takes four times the time',
  async (_, make) => {
    await renderMarkdown(make(100));
    const small = await costOf(make(REPETITIONS));
    const large = await costOf(make(4 * REPETITIONS));
    // Quadratic work would take 16 times as long; what takes a few milliseconds is not compared.
    expect(large).toBeLessThan(8 * small + 100);
  },
);

test('an honest text of 100 KB takes less than a second of processor time', async () => {
  const text = hostileMarkdown.prose!(100_000).slice(0, 100_000);
  expect(await costOf(text)).toBeLessThan(1_000);
});

test('a table of 11 KB that would fill 65,000 cells is shown as its source', async () => {
  const { html } = await renderMarkdown(hostileMarkdown['a wide table']!(2_500_000));
  expect(html).toMatch(/^<pre/);
});
