// Commands whose arguments are refused, one after the other in one process. Reads their arguments as JSON from stdin,
// prints exit code, stdout and stderr of each as JSON.
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [bundle] = process.argv.slice(2);
const calls = JSON.parse(await text(process.stdin));
const write = process.stdout.write.bind(process.stdout);
// Each call listens for errors of both.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

const results = [];
for (const [index, call] of calls.entries()) {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (chunk) => {
      printed[name] += chunk;
      return true;
    };
  process.argv.splice(2, Infinity, ...call);
  process.exitCode = 0;
  // The same modules, but for the entry, which runs anew.
  await import(`${pathToFileURL(bundle).href}?${index}`);
  results.push({ code: process.exitCode, ...printed });
}
process.exitCode = 0;
write(JSON.stringify(results));
