import { setFlagsFromString } from 'node:v8';

/**
 * Node lets its heap grow to several times of what is alive where the machine has much memory; here by a half at a
 * time. To be called first, before the heap has grown. The heap's young part cannot be bounded once Node runs; the
 * scripts of `npm start`, `backup:prove` and `backup:run` do it. With both, 200 MB are resident after
 * `npm run bench -- http` with 10,000 posts, not 350.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
