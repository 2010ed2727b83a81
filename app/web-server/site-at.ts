import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { textNotFound } from '#app/platform/responses.ts';
import { routeOf } from '#app/site/find-address.server.ts';
import { addressInPreview, pageInPreview, textInPreview } from '#app/time-travel/links-in-preview.ts';

/** Answers a public address (path and query) from another copy of the site, with its links below a base. */
export type RenderSiteAt = (
  address: string,
  options: { app: App; base: string; bar: string },
) => Promise<Response>;

/** What is no public address of the site itself. */
const OUTSIDE = /^\/(api|assets|preview)(\/|$)/;
/**
 * Renders the public site of a scratch copy through the very routes that serve readers, without the page cache.
 * Nobody may store or index the answers.
 */
export function createSiteAt(build: ServerBuild): RenderSiteAt {
  const handler = createRequestHandler(build, 'production');
  return async (address, { app, base, bar }) => {
    const { siteUrl } = app.env;
    if (OUTSIDE.test(address)) return textNotFound();
    const found = await routeOf(app, address);
    if ('redirect' in found)
      return new Response(null, { status: 302, headers: { Location: base + found.redirect } });
    const answer = await handler(new Request(siteUrl + found.address), {
      app,
      place: found.place,
      // The backend is no part of the public site.
      isSiteView: true,
    });
    const headers = new Headers(answer.headers);
    headers.set('Cache-Control', 'no-store');
    headers.set('X-Robots-Tag', 'noindex, nofollow');
    for (const name of ['ETag', 'Last-Modified', 'Content-Length', 'Set-Cookie']) headers.delete(name);
    const preview = { base, bar, siteUrl };
    const location = headers.get('Location');
    if (location) headers.set('Location', addressInPreview(location, preview));
    const type = headers.get('Content-Type') ?? '';
    const { status } = answer;
    if (type.startsWith('text/html'))
      return new Response(pageInPreview(await answer.text(), preview), { status, headers });
    if (/xml|json|^text\/plain/.test(type))
      return new Response(textInPreview(await answer.text(), preview), { status, headers });
    return new Response(answer.body, { status, headers });
  };
}
