import { PassThrough } from 'node:stream';
import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type AppLoadContext,
  type EntryContext,
  type LoaderFunctionArgs,
} from '@remix-run/node';
import { RemixServer, isRouteErrorResponse } from '@remix-run/react';
import { renderToPipeableStream } from 'react-dom/server';
import { appOf } from '#app/compose.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { NonceContext } from '#app/ui/nonce.ts';

/** How long loaders and the render may take before the answer is given up. */
export const streamTimeout = 15_000;

/** Renders a page whole: nothing is sent before all of it stands, so that the status is always true. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  // Remix renders a page around whatever a route with a component returns; a screen's own answer passes here.
  if (loadContext?.answer) return Promise.resolve(loadContext.answer);
  const nonce = typeof loadContext?.cspNonce === 'string' ? loadContext.cspNonce : undefined;
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (status === 405 && !headers.has('Allow')) headers.set('Allow', 'GET, HEAD');
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} url={request.url} abortDelay={streamTimeout} nonce={nonce} />
      </NonceContext.Provider>,
      {
        nonce,
        onAllReady() {
          clearTimeout(timer);
          const body = new PassThrough();
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError: reject,
      },
    );
    const timer = setTimeout(
      () => abort(new Error('The page took too long to render.')),
      streamTimeout + 1_000,
    );
  });
}

/** Unexpected failures go to the log with their stack; the page shows none of it. */
export async function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<void> {
  const expected = isRouteErrorResponse(error) && error.status < 500;
  if (expected || request.signal.aborted) return;
  const { pathname } = new URL(request.url);
  try {
    const { log } = await appOf(context);
    log.error({ err: error, method: request.method, path: pathname }, 'Request failed');
  } catch {
    // The app itself could not be composed, so there is no log either.
    process.stderr.write(`${request.method} ${pathname}: ${messageOf(error)}\n`);
  }
}
