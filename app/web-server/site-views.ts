import type { ServerBuild } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { textNotFound } from '#app/platform/responses.ts';
import { routeOf } from '#app/site/find-address.server.ts';
import { addressInView, htmlInView, textInView, type RenderSiteView } from '#app/site/site-view.ts';
import { answerPublicFile, publicFileNames } from './public-files.ts';
import { branchHandlers } from './route-branches.ts';

/** Addresses that are neither a page, a feed nor a file of a page, in any spelling that the router accepts. */
const OUTSIDE = /^\/+(api|assets|preview)(\/|$)/i;

/**
 * Views of the public site for the backend and for previews: the routes that serve readers render them, without the
 * page cache. Nobody else may store or index the answers.
 * @returns the views of an app's content. It must share no reads with the pages of readers, since a view may show another
 *   appearance.
 */
export function createSiteViews(build: ServerBuild): (app: App) => RenderSiteView {
  const handlerOf = branchHandlers(build);
  const files = publicFileNames();
  return (app) =>
    async (address, { appearance, ...view }) => {
      const { siteUrl } = app.env;
      const path = decodePath(address);
      if (OUTSIDE.test(path)) return withNoStore(textNotFound());
      if (files.has(path.slice(1))) return withNoStore(await answerPublicFile(path.slice(1)));
      const found = await routeOf(app, address);
      if ('redirect' in found)
        return withNoStore(
          new Response(null, { status: 301, headers: { Location: view.base + found.redirect } }),
        );
      const url = new URL(siteUrl + found.address);
      const answer = await handlerOf(url.pathname).answer(new Request(url), {
        app,
        place: found.place,
        appearance,
        isSiteView: true,
      });
      const { headers } = withNoStore(new Response(null, { headers: answer.headers }));
      for (const name of ['ETag', 'Last-Modified', 'Content-Length', 'Set-Cookie']) headers.delete(name);
      const location = headers.get('Location');
      if (location) headers.set('Location', addressInView(location, view, siteUrl));
      const { status } = answer;
      const type = headers.get('Content-Type') ?? '';
      if (type.startsWith('text/html')) {
        const bar = typeof view.bar === 'string' ? view.bar : view.bar(status);
        const html = htmlInView(await answer.text(), { ...view, bar }, siteUrl);
        return new Response(html, { status, headers });
      }
      if (view.moves === 'everything' && /xml|json|^text\/plain/.test(type))
        return new Response(textInView(await answer.text(), view, siteUrl), { status, headers });
      return new Response(answer.body, { status, headers });
    };
}

function decodePath(address: string): string {
  const path = address.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withNoStore(response: Response): Response {
  response.headers.set('Cache-Control', 'no-store');
  response.headers.set('X-Robots-Tag', 'noindex, nofollow');
  return response;
}
