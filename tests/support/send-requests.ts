import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export interface PreparedRequest {
  path: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

interface SendOptions {
  /** Such as `http://127.0.0.1:3000`. */
  origin: string;
  /** Requests on their way at a time. */
  atOnce: number;
  /** How long each sender waits after an answer; 0 unless given. */
  pauseMs?: number;
}

/**
 * Sends requests from a separate thread, so that the caller can measure how long others wait meanwhile.
 * @returns the statuses; 0 if the server closed the connection
 */
export async function sendRequests(
  requests: PreparedRequest[],
  { origin, atOnce, pauseMs = 0 }: SendOptions,
): Promise<number[]> {
  // A body that many requests share is copied to the thread once.
  const bodies = [...new Set(requests.flatMap(({ body }) => (body === undefined ? [] : [body])))];
  const numbers = new Map(bodies.map((body, number) => [body, number]));
  const prepared = requests.map(({ body, ...request }) =>
    body === undefined ? request : { ...request, body: numbers.get(body) },
  );
  const file = path.resolve(import.meta.dirname, 'processes/send-requests.mjs');
  const worker = new Worker(file, { workerData: { origin, bodies, requests: prepared, atOnce, pauseMs } });
  const [statuses] = (await once(worker, 'message')) as [number[]];
  return statuses;
}
