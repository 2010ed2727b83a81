// Sends requests at a steady rate, whether or not earlier ones have been answered, until `seconds` are over or its
// standard input ends. Prints `{requests, bad, p50, p99, longest, visits}`, in milliseconds from the moment at which each
// was due; `visits` tells of each when it was due, in the time of `Date.now()`, and its wait.
// argv: origin, requests a second, seconds, then a JSON file `{paths}`.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

const [origin, rate, seconds, file] = process.argv.slice(2);
const { paths } = JSON.parse(readFileSync(file, 'utf8'));
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
const waits = [];
const dueAndWait = [];
let bad = 0;
let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();

function visit(due, number) {
  return new Promise((resolve) => {
    const end = (isGood) => {
      const wait = performance.now() - due;
      waits.push(wait);
      dueAndWait.push([performance.timeOrigin + due, wait]);
      if (!isGood) bad += 1;
      resolve();
    };
    get(origin + paths[number % paths.length], { agent }, (answer) => {
      answer.resume().on('end', () => end(answer.statusCode === 200));
    }).on('error', () => end(false));
  });
}

const began = performance.now();
const visits = [];
for (let number = 0; !isOver && number < Number(rate) * Number(seconds); number += 1) {
  const due = began + (number * 1000) / Number(rate);
  const wait = due - performance.now();
  if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
  visits.push(visit(due, number));
}
await Promise.all(visits);
agent.destroy();
process.stdin.destroy();
waits.sort((a, b) => a - b);
const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))];
process.stdout.write(
  JSON.stringify({
    requests: waits.length,
    bad,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    visits: dueAndWait,
  }),
);
