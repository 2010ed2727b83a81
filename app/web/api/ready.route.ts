import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { readReadiness } from '#app/operations/readiness.server.ts';
import { apiData, apiMethodNotAllowed } from '#app/platform/http/responses.ts';

/** Checks everything that serving depends on; 503 when something that readers need fails. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const readiness = await readReadiness(await appOf(context), context);
  return apiData(readiness, { status: readiness.status === 'down' ? 503 : 200 });
}

export const action = () => apiMethodNotAllowed('GET, HEAD');
