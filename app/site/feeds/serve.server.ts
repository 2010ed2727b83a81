import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import type { Configured, Logged } from '#app/platform/services.ts';
import type { App } from '#app/app.ts';
import { appOf } from '#app/compose.server.ts';
import { outageReason, RETRY_AFTER_SECONDS } from '#app/platform/database/failure.server.ts';
import { textNotFound, withoutTrailingSlash } from '#app/platform/http/responses.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { withMediaAddresses } from '#app/site/shell/site-view.ts';
import { readSlug, placeOf } from '#app/site/shell/address.ts';
import { unavailableAnswer } from '#app/site/shell/unavailable.ts';

const gunzip = promisify<Buffer, Buffer<ArrayBuffer>>(zlib.gunzip);

/**
 * A loader for a file that machines read. `render` returns the text, or gzip of a text that `finishFile` has changed
 * already; null for a missing file.
 */
export function serveFile(
  contentType: string,
  render: (app: App, args: LoaderFunctionArgs) => Promise<string | Buffer<ArrayBuffer> | null>,
) {
  return async (args: LoaderFunctionArgs): Promise<Response> => {
    const canonical = withoutTrailingSlash(new URL(args.request.url));
    if (canonical) return redirect(canonical, 301);
    const app = await appOf(args.context);
    try {
      const file = await render(app, args);
      if (file === null) return textNotFound();
      const headers = new Headers({ 'Content-Type': `${contentType}; charset=utf-8` });
      if (/rss|atom|feed/.test(contentType)) await nameHub(app, args, headers);
      if (typeof file === 'string') return new Response(finishFile(app, file), { headers });
      if (!args.context.takesGzip) return new Response(await gunzip(file), { headers });
      headers.set('Content-Encoding', 'gzip');
      return new Response(file, { headers });
    } catch (error) {
      return fileUnavailable(app, args.request, error);
    }
  };
}

/** Names the WebSub hub of a feed in the header `Link`, as in the feed. */
async function nameHub(app: App, { context, request }: LoaderFunctionArgs, headers: Headers): Promise<void> {
  const { websub_hub: hub } = await readShared(app, 'settings', readSettings);
  const self = app.env.siteUrl + placeOf(context).prefix + new URL(request.url).pathname;
  if (hub !== '') headers.set('Link', `<${new URL(hub).href}>; rel="hub", <${self}>; rel="self"`);
}

/** The last step of a file's text. */
export function finishFile({ env }: Configured, text: string): string {
  return withMediaAddresses(text, env.siteUrl, env.mediaUrl);
}

/** 503 during an outage, as plain text for machines. @throws any other failure */
function fileUnavailable(app: Logged, request: Request, error: unknown): Response {
  const reason = outageReason(error);
  if (reason === null) throw error;
  const path = new URL(request.url).pathname;
  const accept = request.headers.get('Accept');
  app.log.error({ reason, path }, 'Request failed');
  const { status, headers, body } = unavailableAnswer({ path, language: null, accept }, RETRY_AFTER_SECONDS);
  return new Response(body, { status, headers });
}

/** The same for the feed of a category or tag; an old slug answers 301 to the current feed. */
export function serveTermFeed(
  render: (app: App, slug: string, feed: { selfUrl: string; listedIn: string }) => Promise<string | null>,
) {
  return async (args: LoaderFunctionArgs): Promise<Response> => {
    const { listedIn, prefix } = placeOf(args.context);
    const { pathname } = new URL(args.request.url);
    const app = await appOf(args.context);
    const slug = readSlug(args.params.slug);
    const serve = serveFile('application/rss+xml', async ({ env }) =>
      slug === null ? null : render(app, slug, { selfUrl: env.siteUrl + prefix + pathname, listedIn }),
    );
    const response = await serve(args);
    if (response.status !== 404) return response;
    const moved = await findRedirect(app, pathname.replace(/\/(rss|podcast)\.xml$/, ''), listedIn);
    // A subscription never changes its language.
    return moved?.startsWith(`${prefix}/`)
      ? redirect(`${moved}/${pathname.split('/').at(-1)}`, 301)
      : response;
  };
}
