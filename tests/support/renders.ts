import type { Client } from './http-client.ts';

/** Public pages that a server has rendered since it began, as its metrics count them. */
export async function countRenders(client: Client): Promise<number> {
  const { text } = await client.get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
  const counts = [...text.matchAll(/^dateline_http_requests_total\{.*cache="miss".*\} (\d+)/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
