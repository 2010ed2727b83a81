import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { createMetrics } from '#app/operations/metrics.server.ts';
import { bearerChallenge, requireInternalSecret } from '#app/people/sessions/bearer.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { apiError, apiMethodNotAllowed } from '#app/platform/http/responses.ts';

/** Prometheus text behind the internal secret. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const app = await appOf(context);
  try {
    requireInternalSecret(app, request);
    // Stock remix-serve counts no requests; the metrics from the database are served nevertheless.
    const metrics = context.metrics ?? createMetrics(app, () => ({ pages: 0, bytes: 0 }));
    return new Response(await metrics.text({ databaseDown: context.databaseDown }), {
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
    });
  } catch (error) {
    if (isAppError(error)) return apiError(error, bearerChallenge(error));
    throw error;
  }
}

export const action = () => apiMethodNotAllowed('GET, HEAD');
