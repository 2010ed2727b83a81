// A worker thread that sends requests. Its requests share no event loop with those whose waiting is measured. Its data:
// `{ origin, bodies, requests: { path, method, headers, body? }[], atOnce, pauseMs }`, a request's body being an index
// of `bodies`. Each sender sends every `atOnce`th request; it posts the statuses when all are answered.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { origin, bodies, requests, atOnce, pauseMs } = workerData;
const bytes = bodies.map((body) => Buffer.from(body));
const statuses = [];

/** The status; 0 if the server closed the connection before everything was sent. */
function send({ path, method = 'GET', headers = {}, body }) {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': bytes[body].length };
    const options = { path, method, headers: { ...headers, ...length }, agent: false };
    const outgoing = request(origin, options, (incoming) => {
      incoming.on('error', () => {}).resume();
      incoming.on('close', () => resolve(incoming.statusCode));
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end(body === undefined ? undefined : bytes[body]);
  });
}

async function sender(first) {
  for (let at = first; at < requests.length; at += atOnce) {
    statuses.push(await send(requests[at]));
    if (pauseMs) await sleep(pauseMs);
  }
}
await Promise.all(Array.from({ length: atOnce }, (_, first) => sender(first)));
parentPort.postMessage(statuses);
