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

/** The rules that look at colours: in another scheme a page differs in nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * The findings of axe, with its optional rule for targets of 24 px.
 * @param options.colours checks only colours, for a page that was examined in another scheme
 */
export async function examine(page: Page, screen: string, { colours = false } = {}): Promise<Finding[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // A page that was examined in another scheme contains axe already.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axe);
  const rules = colours ? { runOnly: colourRules } : { rules: { 'target-size': { enabled: true } } };
  const { violations } = await page.evaluate(
    (options) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        ...options,
        resultTypes: ['violations'],
      }),
    rules,
  );
  return violations.map(({ id, nodes }) => ({
    screen,
    rule: id,
    where: nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  }));
}
