// Unexpected output fails the test in which it appears: it points to a fault.
import { format } from 'node:util';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';

const output: string[] = [];
const methods = ['log', 'info', 'debug', 'warn', 'error', 'trace', 'table', 'dir'] as const;

for (const method of methods) {
  console[method] = (...values: unknown[]) => void output.push(`console.${method}: ${format(...values)}`);
}
const onWarning = (warning: Error) => void output.push(`${warning.name}: ${warning.message}`);
process.on('warning', onWarning);
afterAll(() => void process.off('warning', onWarning));

beforeEach(() => expectNoOutput('before the test'));
afterEach(() => expectNoOutput('in the test'));

function expectNoOutput(when: string) {
  expect(output.splice(0), `unexpected console output ${when}`).toEqual([]);
}
