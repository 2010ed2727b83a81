import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { RETRY_AFTER_SECONDS } from '#app/platform/database/failure.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import { SITE_PREVIEW } from '#app/platform/http/public-addresses.ts';
import { readOnly, textNotFound } from '#app/platform/http/responses.ts';
import { decodePath } from '#app/posts/paths.ts';
import { unavailableAnswer } from '#app/site/shell/unavailable.ts';
import { findSitePreview } from '#app/time-travel/site-previews.server.ts';

/** Decoded paths of uploads, and of searches in any language, in each spelling that routers read. */
const UPLOADS = /^\/+uploads\//i;
const SEARCH = /\/search\/*$/i;

/** The public site at the instant of a link, for everybody who has the link. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const app = await appOf(context);
  const token = params.token ?? '';
  const preview = await findSitePreview(app, token);
  if (!preview || !context.renderSiteView) return withoutStore(textNotFound());
  const { renderSiteView } = context;
  const { pathname, search } = new URL(request.url);
  const base = SITE_PREVIEW + token;
  if (pathname === base) return redirect(`${base}/${search}`, { headers: secret });
  const path = pathname.slice(base.length);
  const decoded = decodePath(path) ?? path;
  // Files are the same at every instant, and may be large: this process sends them.
  if (UPLOADS.test(decoded)) return renderSiteView(path, { base, bar: '', moves: 'everything' });
  const answer = app.scratchSites.use(app, preview.instant, async (site) => {
    if (SEARCH.test(decoded)) await site.prepareSearch();
    const page = await app.workers.renderPage(site.plan, { address: path + search, base });
    return new Response(page.body, page);
  });
  return answer.catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'unavailable') throw error;
    app.log.warn({ reason: messageOf(error) }, 'The site at another instant could not be shown');
    const { headers: asked } = request;
    const language = asked.get('accept-language');
    const client = { path: pathname, language, accept: asked.get('accept') };
    const { status, headers, body } = unavailableAnswer(client, error.retryAfter ?? RETRY_AFTER_SECONDS);
    return withoutStore(new Response(body, { status, headers }));
  });
}

export const action = () => withoutStore(readOnly());

// The token is a secret in the address: no cache may keep the page.
const secret = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };

function withoutStore(response: Response): Response {
  for (const [name, value] of Object.entries(secret)) response.headers.set(name, value);
  return response;
}
