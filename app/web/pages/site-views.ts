import type { App } from '#app/app.ts';
import { decodedOrSame, withoutQuery } from '#app/platform/http/paths.ts';
import { textNotFound } from '#app/platform/http/responses.ts';
import { routeOf } from '#app/posts/addresses/find-address.server.ts';
import { addressInView, htmlInView, textInView, type ViewOptions } from '#app/site/shell/site-view.ts';
import { answerPublicFile, publicFileNames } from './build.ts';
import type { RenderPublicPage } from './public-pages.ts';

/** Addresses that are neither a page, a feed nor a file of a page, in any spelling that the router accepts. */
const OUTSIDE = /^\/+(api|assets|preview)(\/|$)/i;

/** An answer of a view. A text is not yet encoded. */
export interface ViewAnswer {
  status: number;
  headers: Headers;
  body: string | Response['body'];
}

/**
 * Views of the public site for the backend and for previews. The routes of the public site render them, without the
 * page cache. Nobody else may store or index the answers.
 * @returns the views of an app's content; the app must have no shared reads, since a view may show another appearance
 */
export function createSiteViews(
  renderPage: RenderPublicPage,
): (app: App) => (address: string, options: ViewOptions) => Promise<ViewAnswer> {
  const files = publicFileNames();
  return (app) =>
    async (address, { appearance, post, ...view }) => {
      const { siteUrl } = app.env;
      const path = decodedOrSame(withoutQuery(address));
      if (OUTSIDE.test(path) && !post) return withNoStore(textNotFound());
      if (files.has(path.slice(1))) return withNoStore(await answerPublicFile(path.slice(1)));
      const route = await routeOf(app, address);
      if ('redirect' in route) {
        const headers = new Headers({ Location: view.base + route.redirect });
        return withNoStore({ status: 301, headers, body: null });
      }
      const context = { app, place: route.place, appearance, shownPost: post, isSiteView: true };
      const answer = await renderPage(route.address, context);
      const { status } = answer;
      const headers = new Headers(answer.headers);
      for (const name of ['ETag', 'Last-Modified', 'Content-Length', 'Set-Cookie']) headers.delete(name);
      const location = headers.get('Location');
      if (location) headers.set('Location', addressInView(location, view, siteUrl));
      const type = headers.get('Content-Type') ?? '';
      if (type.startsWith('text/html')) {
        const bar = typeof view.bar === 'string' ? view.bar : view.bar(status);
        const body = htmlInView(await answer.text(), { ...view, bar }, siteUrl);
        return withNoStore({ status, headers, body });
      }
      if (view.moves === 'everything' && /xml|json|^text\/plain/.test(type)) {
        const body = textInView(await answer.text(), view, siteUrl);
        return withNoStore({ status, headers, body });
      }
      return withNoStore({ status, headers, body: answer.body });
    };
}

function withNoStore({ status, headers, body }: ViewAnswer): ViewAnswer {
  headers.set('Cache-Control', 'no-store');
  headers.set('X-Robots-Tag', 'noindex, nofollow');
  return { status, headers, body };
}
