// The entries of the server and of commands import this first, before the heap has grown. On a machine with much memory
// Node lets the heap grow to several times the size of its live objects; with this flag it grows by half at a time. The
// young generation can be limited only when Node starts: the scripts `start`, `backup:prove` and `backup:run` do that.
// With both, 200 MB instead of 350 are resident after `npm run bench -- http` with 10,000 posts.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--heap-growing-percent=50');
// Without this flag V8 allocates objects directly in the old generation if earlier objects of the same kind lived long,
// as those of a request do while pages are rendered. Later the objects of each cached answer then stay in memory until
// the next full collection: a third of a megabyte for a hundred answers.
setFlagsFromString('--no-allocation-site-pretenuring');
