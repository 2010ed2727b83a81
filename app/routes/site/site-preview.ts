import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { RETRY_AFTER_SECONDS } from '#app/platform/failure.server.ts';
import { readOnly, textNotFound } from '#app/platform/responses.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { unavailableAnswer } from '#app/site/unavailable.ts';
import { previewBar } from '#app/time-travel/preview-bar.ts';
import { findSitePreview } from '#app/time-travel/site-previews.server.ts';

/** The public site as it is at the instant of a link; whoever has the link sees it. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const app = await appOf(context);
  const token = params.token ?? '';
  const preview = await findSitePreview(app, token);
  if (!preview || !context.renderSiteView) return withoutStore(textNotFound());
  const { renderSiteView } = context;
  const { pathname, search } = new URL(request.url);
  const base = `/preview/site/${token}`;
  if (pathname === base) return redirect(`${base}/${search}`, { headers: secret });
  const answer = app.scratchSites.use(app, preview.instant, async (site) => {
    const { site_timezone: timeZone } = await readSettings(site.app);
    const bar = previewBar({ instant: preview.instant, now: app.clock.now(), timeZone });
    return renderSiteView(pathname.slice(base.length) + search, {
      app: site.app,
      base,
      bar,
      moves: 'everything',
    });
  });
  return answer.catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'unavailable') throw error;
    const client = { path: pathname, language: request.headers.get('accept-language') };
    const { status, headers, body } = unavailableAnswer(client, error.retryAfter ?? RETRY_AFTER_SECONDS);
    return withoutStore(new Response(body, { status, headers }));
  });
}

export const action = () => withoutStore(readOnly());

// The token is a secret in the address: no cache keeps what is behind it.
const secret = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };

function withoutStore(response: Response): Response {
  for (const [name, value] of Object.entries(secret)) response.headers.set(name, value);
  return response;
}
