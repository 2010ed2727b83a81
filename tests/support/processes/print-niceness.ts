// Renders a text, then prints the niceness of each thread of this process.
import { readdirSync, readFileSync } from 'node:fs';
import { createWorkers } from '#app/workers/workers.server.ts';

const workers = createWorkers();
await workers.renderMarkdown('*a*', { siteUrl: 'https://blog.example.org' });
const threads = readdirSync('/proc/self/task').map((id) =>
  readFileSync(`/proc/self/task/${id}/stat`, 'utf8'),
);
// Field 19; the second one, a name in brackets, may hold spaces (proc(5)).
const niceness = threads.map((stat) => stat.split(') ')[1]!.split(' ')[16]);
process.stdout.write(`${niceness.join(' ')}\n`);
await workers.close();
