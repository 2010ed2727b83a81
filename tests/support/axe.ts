import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

export interface Finding {
  screen: string;
  rule: string;
  where: string[];
}

let axe: Promise<string> | undefined;

/** What axe has to say; targets of 24 px are a rule that it does not run by itself. */
export async function examine(page: Page, screen: string): Promise<Finding[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
    }),
  );
  return violations.map(({ id, nodes }) => ({
    screen,
    rule: id,
    where: nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  }));
}
