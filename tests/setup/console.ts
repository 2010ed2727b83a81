// Output that no test asked for is a bug that nobody has met yet: it fails the test in which it appears.
import { format } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';

const output: string[] = [];
const methods = ['log', 'info', 'debug', 'warn', 'error', 'trace', 'table', 'dir'] as const;

for (const method of methods) {
  console[method] = (...values: unknown[]) => void output.push(`console.${method}: ${format(...values)}`);
}
process.on('warning', (warning) => void output.push(`${warning.name}: ${warning.message}`));

beforeEach(() => expectNoOutput('before the test'));
afterEach(() => expectNoOutput('in the test'));

function expectNoOutput(when: string) {
  expect(output.splice(0), `unexpected console output ${when}`).toEqual([]);
}
