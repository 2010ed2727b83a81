import type { ActionFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { checkLateness } from '#app/operations/alerts.server.ts';
import { bearerChallenge, requireInternalSecret } from '#app/people/sessions/bearer.server.ts';
import { outageReason, RETRY_AFTER_SECONDS } from '#app/platform/database/failure.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiError, apiMethodNotAllowed } from '#app/platform/http/responses.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';

/** The trigger for external schedulers: the same work as `npm run posts:publish-scheduled`. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== 'POST') return apiMethodNotAllowed('POST');
  const app = await appOf(context);
  try {
    requireInternalSecret(app, request);
    if (context.databaseDown) throw down();
  } catch (error) {
    return apiError(error, bearerChallenge(error));
  }
  try {
    await checkLateness(app);
    return Response.json(await publishDue(app, 'route'), { headers: { 'Cache-Control': 'no-store' } });
  } catch (error) {
    const reason = outageReason(error);
    app.log.error(reason === null ? { err: error } : { reason }, 'The trigger failed');
    const message = 'Publishing failed; the log says why. The next trigger tries again.';
    return apiError(new AppError('unavailable', message, { retryAfter: 60 }));
  }
}

function down(): AppError {
  const message = 'The database is down. The next trigger tries again.';
  return new AppError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS });
}

export function loader(): Response {
  return apiMethodNotAllowed('POST');
}
