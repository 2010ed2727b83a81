// Imported first by what starts the server or a command, before the heap has grown. Node lets its heap grow to several
// times of what is alive where the machine has much memory; here by a half at a time. The heap's young part cannot be
// bounded once Node runs; the scripts of `npm start`, `backup:prove` and `backup:run` do it. With both, 200 MB are
// resident after `npm run bench -- http` with 10,000 posts, not 350.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--heap-growing-percent=50');
// V8 otherwise makes the objects of a kind that once lived long in the old part of the heap from the beginning. While
// pages are rendered, the objects of a request live long; afterwards those of each cached answer stayed in memory until
// the next full collection, a third of a megabyte every hundred answers.
setFlagsFromString('--no-allocation-site-pretenuring');
