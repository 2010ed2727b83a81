import type { ActionFunctionArgs } from '@remix-run/node';
import { requireInternalSecret } from '#app/auth/bearer.server.ts';
import { appOf } from '#app/compose.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiError, apiMethodNotAllowed } from '#app/platform/responses.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';

/** The trigger for external schedulers: the same work as `npm run posts:publish-scheduled`. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== 'POST') return apiMethodNotAllowed('POST');
  const app = await appOf(context);
  try {
    requireInternalSecret(app, request);
  } catch (error) {
    return apiError(error);
  }
  try {
    return Response.json(await publishDue(app, 'route'), { headers: { 'Cache-Control': 'no-store' } });
  } catch (error) {
    app.log.error({ err: error }, 'The trigger failed');
    const message = 'Publishing failed; the log says why. The next trigger tries again.';
    return apiError(new AppError('unavailable', message, { retryAfter: 60 }));
  }
}

export function loader(): Response {
  return apiMethodNotAllowed('POST');
}
