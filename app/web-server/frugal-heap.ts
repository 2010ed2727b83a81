import { setFlagsFromString } from 'node:v8';

/**
 * Node lets its heap grow to several times of what is alive where the machine has much memory. Measured with 10,000
 * posts after 50,000 requests and 2,000 first renders: 220 MB of resident memory instead of 350, for a tenth more
 * CPU in a first render. To be called first, before the heap has grown.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--max-semi-space-size=4');
}
