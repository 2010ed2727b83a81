import { setFlagsFromString } from 'node:v8';

/**
 * Node lets its heap grow to several times of what is alive where the machine has much memory. Measured after 3,000
 * first renders: 207 MB of resident memory instead of 300 and more, for the same CPU time. To be called first,
 * before the heap has grown.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--max-semi-space-size=8');
}
