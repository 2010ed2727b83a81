import { availableParallelism, loadavg } from 'node:os';
import type { TestServer } from './server.ts';

/** Processor time that a server has used so far, in seconds: what other processes do on the machine does not count. */
export async function processorSeconds(server: TestServer): Promise<number> {
  const { text } = await server
    .client()
    .get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
  const seconds = /^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('The server does not report its processor time.');
  return Number(seconds);
}

/** Running programs per core, at least 1. Limits of time grow with it: other load is not the server's fault. */
export const crowding = () => Math.max(1, loadavg()[0]! / availableParallelism());
