import type { AppLoadContext } from '@remix-run/node';
import type { Request as IncomingRequest, RequestHandler, Response as Answer } from 'express';
import type { App } from '#app/app.ts';
import { isOfNewsletter, mayBePage } from '#app/platform/http/public-addresses.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { findAddress } from '#app/posts/addresses/find-address.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { prefersJson } from '#app/platform/http/responses.ts';
import { publicHeadersWith, type AllowedParts } from './guards/security-headers.ts';
import { indexNowPath, isMissing, type MissingPage } from './pages/missing-page.ts';
import type { RenderPublicPage } from './pages/public-pages.ts';

/** The largest body that is left unread. */
const DROPPED_BYTES = 64 * 1024;

/**
 * Answers requests for public addresses that are settings (pages, the list of posts if it was moved, other languages),
 * if the page cache does not: other spellings, other methods, unusual queries. Passes these requests to the routes
 * behind the addresses, which read their address from the load context.
 */
export function answerSiteAddresses(
  app: App,
  renderPage: RenderPublicPage,
  contextOf: (request: IncomingRequest, response: Answer) => AppLoadContext,
  missingPage: (path: string) => ReturnType<MissingPage>,
): RequestHandler {
  return (request, response, next) => {
    if (!mayBePage(request.path) && !isOfNewsletter(request.path)) return next();
    answer(request, response).then((isAnswered) => {
      if (!isAnswered) next();
    }, next);
  };

  async function answer(request: IncomingRequest, response: Answer): Promise<boolean> {
    const context = contextOf(request, response);
    // With the reads that all pages share, so that the settings are in memory.
    const siteAddress = await findAddress(context.app ?? app, request.path);
    if (!siteAddress && isOfNewsletter(request.path)) return false;
    if (!siteAddress)
      return (
        (await sendIndexNowKey(context.app ?? app, request, response)) ||
        sendMissing(context.app ?? app, request, response)
      );
    const query = request.originalUrl.slice(request.path.length);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      response.status(405).set('Allow', 'GET, HEAD').type('text/plain').send('Method not allowed.');
    else if ('redirect' in siteAddress)
      response.set('Cache-Control', 'public, no-cache').redirect(301, siteAddress.redirect + query);
    else {
      let more: AllowedParts = { frames: [], scripts: false };
      const allow = (parts: AllowedParts) => void (more = parts);
      const page = await renderPage(siteAddress.route + query, {
        ...context,
        app: context.app ?? app,
        place: siteAddress.place,
        allow,
      });
      for (const [name, value] of Object.entries(publicHeadersWith(app.env, more)))
        response.setHeader(name, value);
      await send(page, request, response);
    }
    return true;
  }

  /** Answers for an address that nothing is at. Node drops the body of a small form; the routes limit a larger one. */
  async function sendMissing(reader: App, request: IncomingRequest, response: Answer): Promise<boolean> {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
    const isLarge = encoding !== undefined || Number(length) > DROPPED_BYTES;
    if (isLarge || prefersJson(request.headers.accept)) return false;
    const page = (await isMissing(reader, request.path)) ? await missingPage(request.path) : null;
    if (!page) return false;
    await send(new Response(new Uint8Array(page.body), page), request, response);
    return true;
  }
}

async function sendIndexNowKey(app: App, request: IncomingRequest, response: Answer): Promise<boolean> {
  const settings = await readShared(app, 'settings', readSettings);
  if (request.path !== indexNowPath(settings)) return false;
  response.set('Cache-Control', 'public, no-cache').type('text/plain').send(settings.indexnow_key);
  return true;
}

async function send(page: Response, request: IncomingRequest, response: Answer): Promise<void> {
  const body = Buffer.from(await page.arrayBuffer());
  for (const [name, value] of page.headers) response.setHeader(name, value);
  if (page.status === 200 && !page.headers.has('Cache-Control'))
    response.setHeader('Cache-Control', 'public, no-cache');
  response.status(page.status);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
