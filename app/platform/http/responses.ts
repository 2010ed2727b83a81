import { AppError, isAppError } from '#app/platform/errors.ts';

/** True for the `Accept` header of a script that wants JSON, and not a page. */
export function prefersJson(accept: string | null | undefined): boolean {
  const types = (accept ?? '').toLowerCase();
  return types.includes('application/json') && !types.includes('text/html');
}

/** The envelope of `/api/*` (contract, section 3). */
export function apiData(data: unknown, init: ResponseInit = {}): Response {
  return withoutStore(Response.json({ data, error: null }, init));
}

/** An expected failure of `/api/*` as its envelope. Throws any other error again. */
export function apiError(error: unknown, headers: Record<string, string> = {}): Response {
  if (!isAppError(error)) throw error;
  const { code, message, reason, status, retryAfter } = error;
  const response = Response.json({ data: null, error: { code, message, reason } }, { status, headers });
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(Math.ceil(retryAfter)));
  return withoutStore(response);
}

/** 405 for `/api/*`. `allow`: the methods that the path knows, as in the `Allow` header. */
export function apiMethodNotAllowed(allow: string): Response {
  return apiError(new AppError('method_not_allowed', 'Method not allowed.'), { Allow: allow });
}

function withoutStore(response: Response): Response {
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** 404 for files that machines read. */
export function textNotFound(): Response {
  return new Response('Not found.\n', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

/** 405 for what can only be read. */
export function readOnly(): Response {
  return new Response('Method not allowed.\n', {
    status: 405,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', Allow: 'GET, HEAD' },
  });
}

/** The path without its trailing slash, with the query; null if there is no such slash. */
export function withoutTrailingSlash(url: URL): string | null {
  const path = url.pathname.replace(/\/+$/, '');
  return path === '' || path === url.pathname ? null : path + url.search;
}
