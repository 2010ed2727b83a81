import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { RemixServer, isRouteErrorResponse } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
// React 18's stream for Node writes NUL bytes into text beyond ASCII at the end of its buffers
// (facebook/react#24985); its stream for browsers does not.
import { renderToReadableStream } from 'react-dom/server.browser';
import { appOf } from '#app/compose.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { yieldToEventLoop } from '#app/platform/jobs/event-loop.server.ts';
import { outageReason, RETRY_AFTER_SECONDS } from '#app/platform/database/failure.server.ts';
import { frameOrigins } from '#app/posts/markdown/embeds.ts';
import type { App } from '#app/app.ts';
import { siteFrameOf } from '#app/site/shell/frame.server.ts';
import { readRecentLinks } from '#app/site/shell/not-found.server.ts';
import { findNamedPost } from '#app/posts/addresses/find-redirect.server.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import copyScript from '#app/site/posts/copy-code.js?url&no-inline';
import { renderShell } from '#app/site/shell/shell.tsx';
import { withMediaAddresses } from '#app/site/shell/site-view.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { withNamedPost } from '#app/site/shell/error-page.tsx';
import { isNotFoundError } from '#app/site/shell/not-found.ts';
import { unavailableAnswer } from '#app/site/shell/unavailable.ts';
import { shownSite } from '#app/site/shell/use-site.ts';
import { NonceContext, wantsScripts } from '#app/ui/scripts.ts';

/**
 * How long Remix waits for promises in a loader's data. There are none: a loader ends with all of its data. Remix never
 * clears the timer for it, which keeps the data in memory and a process that has ended its work alive.
 */
export const streamTimeout = 0;
/** Time limit of a render. */
const RENDER_MS = 16_000;

/** Renders the whole page before anything is sent, so that the status is always right. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  // Remix renders a page around the result of every route with a component. A screen's own response replaces that page.
  if (loadContext?.admin?.response) return loadContext.admin.response;
  if (loadContext?.outage) return unavailable(request);
  const nonce = typeof loadContext?.cspNonce === 'string' ? loadContext.cspNonce : undefined;
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (status === 405 && !headers.has('Allow')) headers.set('Allow', 'GET, HEAD');
  // A missing page may exist soon.
  if (status === 404 && !headers.has('Cache-Control')) headers.set('Cache-Control', 'public, no-cache');
  if (loadContext?.onMissing && notFoundParts(remixContext)) {
    loadContext.onMissing();
    return new Response(null, { headers, status });
  }
  if (!hasScripts(remixContext)) {
    const page = await renderPlainPage(request.url, remixContext, loadContext);
    return new Response(page, { headers, status });
  }
  let failure: { error: unknown } | undefined;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('The page took too long to render.')), RENDER_MS);
  try {
    // The loaders' turn of the event loop ends here.
    await yieldToEventLoop();
    const stream = await renderToReadableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </NonceContext.Provider>,
      { nonce, signal: timeout.signal, onError: (error) => void (failure ??= { error }) },
    );
    await stream.allReady;
    if (failure) throw failure.error;
    // Sends one piece: the stream consists of chunks of 512 bytes, and each would be compressed on its own.
    return new Response(await new Response(stream).arrayBuffer(), { headers, status });
  } finally {
    // A running timer would keep the page in memory.
    clearTimeout(timer);
  }
}

/** The text of a page without scripts, which needs no hydration data. */
async function renderPlainPage(
  url: string,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<string> {
  const context = { ...remixContext, serverHandoffStream: undefined };
  const { errors, matches, loaderData } = remixContext.staticHandlerContext;
  const frame = frameOf(remixContext);
  if (!errors && frame) {
    const shown = shownSite(
      frame,
      matches.map(({ route }) => ({ data: loaderData[route.id] as unknown })),
    );
    renderShell(shown, renderToString);
  }
  const render = async () => `<!DOCTYPE html>${renderToString(<RemixServer context={context} url={url} />)}`;
  const shown = notFoundParts(remixContext);
  const sharedReads = loadContext?.app?.sharedReads;
  const plain =
    shown && sharedReads ? await sharedReads.derive('missing text', shown, render) : await render();
  const named = shown && (await findNamedPost(await appOf(loadContext), new URL(url).pathname));
  const page = withCopyButtons(named ? withNamedPost(plain, named, frame!.language) : plain, remixContext);
  const frames = framesIn(page, remixContext);
  const scripts = page !== plain;
  if (frames.length > 0 || scripts) loadContext?.allow?.({ frames, scripts });
  const { siteUrl, mediaUrl } = (await appOf(loadContext)).env;
  return withMediaAddresses(page, siteUrl, mediaUrl);
}

// An error page is the site's and has no scripts, whichever route failed.
function hasScripts({ staticHandlerContext, routeModules }: EntryContext): boolean {
  if (staticHandlerContext.errors) return false;
  return staticHandlerContext.matches.some(({ route }) => wantsScripts(routeModules[route.id]?.handle));
}

/** The site's frame; undefined when the root loader failed. */
function frameOf({ staticHandlerContext: { loaderData } }: EntryContext): SiteFrame | undefined {
  return (loaderData.root as { site?: SiteFrame } | undefined)?.site;
}

/** The shared values of which the 404 page of an address consists that nothing is at. */
export async function readMissingParts(app: App): Promise<readonly [object, object]> {
  return [await siteFrameOf(app, {}), await readRecentLinks(app)];
}

/** The content of the 404 page, which is the same at every address; null for every other page. */
function notFoundParts(context: EntryContext): readonly [object, object] | null {
  const error = Object.values(context.staticHandlerContext.errors ?? {}).find(isNotFoundError);
  const site = frameOf(context);
  return error && site ? [site, error.data.recent] : null;
}

/** Adds the script of the copy buttons to a page with code, if the site's settings ask for it. */
function withCopyButtons(page: string, context: EntryContext): string {
  const site = frameOf(context);
  if (!site?.copyButton || !page.includes('<pre tabindex')) return page;
  const { copyCode, codeCopied } = messagesFor(site.language);
  const script = `<script src="${copyScript}" defer data-copy="${copyCode}" data-copied="${codeCopied}"></script>`;
  // The mark gives each block the room for its button before the script comes, so that no scroll bar comes with it.
  return page.replace('<html ', '<html data-copy ').replace('</body>', `${script}</body>`);
}

/** The origins of a page's frames on allowed hosts. The frames load only when a reader opens them. */
function framesIn(page: string, context: EntryContext): string[] {
  if (!page.includes('<iframe ')) return [];
  const allowed = frameOrigins(frameOf(context)?.embedHosts ?? []);
  const origins = [...page.matchAll(/<iframe src="(https:\/\/[^/"]+)\//g)].map(([, origin]) => origin!);
  return [...new Set(origins)].filter((origin) => allowed.has(origin));
}

function unavailable(request: Request): Response {
  const { headers: asked } = request;
  const language = asked.get('Accept-Language');
  const client = { path: new URL(request.url).pathname, language, accept: asked.get('Accept') };
  const { status, headers, body } = unavailableAnswer(client, RETRY_AFTER_SECONDS);
  return new Response(body, { status, headers });
}

/** A script's request for a page's data: its status tells of an outage too. */
export function handleDataRequest(response: Response, { context }: LoaderFunctionArgs): Response {
  if (!context.outage) return response;
  const headers = new Headers(response.headers);
  headers.set('Retry-After', String(RETRY_AFTER_SECONDS));
  return new Response(response.body, { status: 503, headers });
}

/** Logs unexpected failures with their stack, and outages with their reason. The page shows neither. */
export async function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<void> {
  const expected = isRouteErrorResponse(error) && error.status < 500;
  if (expected || request.signal.aborted) return;
  const { pathname } = new URL(request.url);
  const fields = { method: request.method, path: pathname, requestId: context.requestId };
  const reason = outageReason(error);
  // Before the first await: Remix makes the response right after this call.
  if (reason !== null) context.outage = true;
  try {
    const { log } = await appOf(context);
    if (reason !== null) log.error({ reason, ...fields }, 'Request failed');
    else log.error({ err: error, ...fields }, 'Request failed');
  } catch {
    // The app itself could not be composed, so there is no log either.
    process.stderr.write(`${request.method} ${pathname}: ${messageOf(error)}\n`);
  }
}
