// Sends requests over keep-alive connections, one at a time on each, and prints `{requests, seconds, bad}`.
// argv: origin, connections, number of requests or seconds (`3s`), then a JSON file `{paths, headers}`.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [origin, connections, total, file] = process.argv.slice(2);
const { hostname, port } = new URL(origin);
const { paths, headers } = JSON.parse(readFileSync(file, 'utf8'));
const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = paths.map((path) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`),
);

let sent = 0;
let done = 0;
let bad = 0;
const started = performance.now();
const isOver = total.endsWith('s')
  ? () => performance.now() - started > Number(total.slice(0, -1)) * 1000
  : () => sent >= Number(total);

function visitor() {
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let head = '';
  let missing = -1;
  const next = () => {
    if (isOver()) return socket.end();
    socket.write(requests[sent++ % requests.length]);
  };
  socket.on('connect', next);
  socket.on('data', (chunk) => {
    if (missing < 0) {
      head += chunk.latin1Slice();
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end));
      if (!head.startsWith('HTTP/1.1 200') || !length) bad += 1;
      missing = Number(length?.[1] ?? 0) - (head.length - end - 4);
      head = '';
    } else missing -= chunk.length;
    if (missing > 0) return;
    missing = -1;
    done += 1;
    next();
  });
  return new Promise((resolve, reject) => socket.on('close', resolve).on('error', reject));
}

await Promise.all(Array.from({ length: Number(connections) }, visitor));
const seconds = (performance.now() - started) / 1000;
process.stdout.write(JSON.stringify({ requests: done, seconds, bad }));
