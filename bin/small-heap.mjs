// Imported first by what starts the server or a command, before the heap has grown. Node lets its heap grow to several
// times of what is alive where the machine has much memory; here by a half at a time. The heap's young part cannot be
// bounded once Node runs; the scripts of `npm start`, `backup:prove` and `backup:run` do it. With both, 200 MB are
// resident after `npm run bench -- http` with 10,000 posts, not 350.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--heap-growing-percent=50');
