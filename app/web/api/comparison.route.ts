import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { answerComparison } from '#app/operations/server-comparison.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData, apiError, apiMethodNotAllowed } from '#app/platform/http/responses.ts';

/** Tells `doctor` which secrets and database this server has in common with it, and how a request arrives here. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { protocol, host } = new URL(request.url);
  const answer = await answerComparison(await appOf(context), request.headers.get('Authorization') ?? '', {
    protocol,
    host,
    address: context.clientAddress ?? null,
    isForwarded: request.headers.has('X-Forwarded-For'),
  });
  return answer ? apiData(answer) : apiError(new AppError('unauthorized', 'Unauthorized.'));
}

export const action = () => apiMethodNotAllowed('GET, HEAD');
