import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { ServerBuild } from '@remix-run/node';
import type { Request, Response, RequestHandler } from 'express';
import type { Env } from '#app/platform/env.server.ts';
import { errorStatus, type ErrorCode } from '#app/platform/errors.ts';
import { pathOf } from '#app/platform/http/paths.ts';
import { SITE_PREVIEW, publicAddressOf } from '#app/platform/http/public-addresses.ts';
import { branchMatcher } from '#app/web/pages/public-pages.ts';

/** Answers a request before any route gets it: with JSON for the API and for scripts, else with one line of text. */
export function refuse(request: Request, response: Response, code: ErrorCode, message: string): void {
  response.status(errorStatus[code]).set('Cache-Control', 'no-store');
  if (request.path.startsWith(SITE_PREVIEW)) response.set('X-Robots-Tag', 'noindex, nofollow');
  const wantsJson = request.get('Accept')?.includes('application/json') || /^\/api(\/|$)/i.test(request.path);
  if (wantsJson) response.json({ data: null, error: { code, message } });
  else response.type('text/plain').send(`${message}\n`);
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * A path in its normal percent-encoding (RFC 3986, section 6.2.2): only necessary characters encoded, hexadecimal
 * digits in capitals.
 */
function normalEncoding(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(parseInt(code.slice(1), 16));
    return UNRESERVED.test(character) ? character : code.toUpperCase();
  });
}

/**
 * The one spelling of a path that a route matches: fixed segments as in the route's pattern, the rest in normal
 * percent-encoding. Routers ignore case and compare decoded paths; proxies do neither.
 * @param pattern as in `app/routes.ts`, such as `posts/:slug` or `uploads/*`
 */
function spellingOf(path: string, pattern: string): string {
  const words = pattern === '' ? [] : pattern.split('/');
  const segments = normalEncoding(path).split('/').slice(1);
  return `/${segments.map((segment, index) => (/^[:*]/.test(words[index] ?? '*') ? segment : words[index])).join('/')}`;
}

/** True when a request has one `Host` header at most: of several, Node drops all but the first. */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}

/** True for the value of a `Host` header that can be in an address. */
export function isHost(value: string): boolean {
  return (
    /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(value.trim()) && URL.canParse(`http://${value.trim()}`)
  );
}

/**
 * Replaces `X-Forwarded-For` by the addresses in it that can be trusted, before Express reads it. The proxies append to
 * it, and the client writes what stands further left. So only the last addresses count, one for each trusted hop, and
 * none to the left of one that is no address.
 */
export function readForwardedFor(hops: number): RequestHandler {
  return (request, _response, next) => {
    const header = request.get('X-Forwarded-For');
    if (header !== undefined) {
      const addresses: string[] = [];
      for (const entry of header.split(',').slice(-hops).reverse()) {
        const address = hops > 0 ? parseAddress(entry) : null;
        if (address === null) break;
        addresses.unshift(address);
      }
      if (addresses.length > 0) request.headers['x-forwarded-for'] = addresses.join(', ');
      else delete request.headers['x-forwarded-for'];
    }
    next();
  };
}

/** An IP address as proxies write it, with a port, brackets or a zone; null for anything else. */
export function parseAddress(entry: string): string | null {
  const [, bracketed, version4] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})$/.exec(entry.trim()) ?? [];
  const address = (bracketed ?? version4 ?? entry.trim()).replace(/%[\w.-]{1,32}$/, '');
  return isIP(address) === 0 ? null : address.toLowerCase();
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Refuses unsafe requests that come from another site (contract, section 4). A request with neither header passes: it
 * is not from a browser. The internal route has a bearer secret instead.
 */
export function refuseCrossSite(env: Pick<Env, 'siteUrl'>): RequestHandler {
  return (request, response, next) => {
    const isApi = request.path.startsWith('/api/') && !request.path.endsWith('.data');
    // One click of a mail program's page; the address is the secret (RFC 8058).
    const isOneClick = request.path.startsWith('/unsubscribe/');
    if (safeMethods.has(request.method) || isApi) next();
    else if (!isOneClick && isCrossSite(request, env))
      refuse(request, response, 'forbidden', 'This form was sent from another site.');
    else {
      // Remix compares the origin with the host, and throws if a proxy passes on another host than the readers'.
      delete request.headers.origin;
      next();
    }
  };
}

function isCrossSite(request: Request, env: Pick<Env, 'siteUrl'>): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin' && site !== 'none') return true;
  const origin = request.get('Origin');
  if (!origin) return false;
  // A page that tells nobody its address, such as a preview, sends the forms on it so.
  if (origin === 'null' && site === 'same-origin') return false;
  return origin !== env.siteUrl && origin !== `${request.protocol}://${outerHost(request)}`;
}

// The host that the reader used, with its port, which `req.hostname` lacks. As for that property, the forwarded host
// counts only if the proxy is trusted.
function outerHost(request: Request): string {
  const forwarded = request.get('X-Forwarded-Host');
  const host = request.get('Host') ?? '';
  if (!forwarded) return host;
  const first = forwarded.split(',')[0]!.trim();
  return first.split(':')[0] === request.hostname ? first : host;
}

/** If a client sends more than this after the answer, its connection is closed. */
const DISCARD_MAX_BYTES = 64 * 1024 * 1024;

const methods = new Set(['GET', 'HEAD', 'POST']);
const readMethods = new Set(['GET', 'HEAD']);
/** Methods that the API answers itself, with 405 for a wrong one. Remix fails with any other method. */
const apiMethods = new Set([...methods, 'PUT', 'PATCH', 'DELETE']);

/**
 * Refuses requests before they reach a route: malformed addresses and hosts (400), methods that no route has (405) and
 * other spellings of an address (301 for a public page, else 404).
 */
export function guardRequests(build: ServerBuild): RequestHandler {
  const branchOf = branchMatcher(build);
  return (request, response, next) => {
    response.once('finish', () => discardRest(request));
    const { path, method } = request;
    const isApi = /^\/api(\/|$)/i.test(path);
    const { originalUrl } = request;
    // Remix reads `/admin\login` as `/admin/login`, while a proxy in front that protects `/admin/` does not.
    if (!originalUrl.startsWith('/') || pathOf(originalUrl).includes('\\') || !isWellFormed(path))
      return refuse(request, response, 'invalid_input', 'The address is malformed.');
    if (!hasValidHost(request)) return refuse(request, response, 'invalid_input', 'The host is malformed.');
    const bare = path.replace(/(?<=[^/])\/+$/, '');
    const branch = branchOf(bare);
    const pattern = branch?.flatMap(({ path: part }) => part || []).join('/') ?? '*';
    const address = publicAddressOf(path);
    // Files of the build have no route.
    const isFile = address !== null && address.route === undefined;
    const allowed = isApi ? apiMethods : isFile ? readMethods : methods;
    if (!allowed.has(method)) {
      const isUnknownApi = isApi && (address === null || address.pattern === 'api/*');
      if (isUnknownApi) return refuse(request, response, 'not_found', 'Not found.');
      // Backend forms are posted. Unknown addresses get the same answer, which therefore does not reveal the backend's
      // path.
      const forms = pattern === '*' && !isFile ? 'GET, HEAD, POST' : 'GET, HEAD';
      response.set('Allow', path.endsWith('/publish-scheduled') ? 'POST' : forms);
      return refuse(request, response, 'method_not_allowed', 'Method not allowed.');
    }
    // Remix would answer with a page's data alone, which no page of this site requests.
    if (path.endsWith('.data') || request.query._data !== undefined)
      return refuse(request, response, 'not_found', 'Not found.');
    // The site's own addresses follow this path, and the address of its home page ends in a slash.
    if (path.startsWith(SITE_PREVIEW)) return next();
    // The backend and stored redirects compare the unchanged address.
    if (pattern === '*') return next();
    const spelling = spellingOf(bare, pattern);
    if (spelling === path) return next();
    const isRead = method === 'GET' || method === 'HEAD';
    const isUpload = pattern === 'uploads/*';
    const isPage = !isUpload && (branch?.some(({ id }) => /^site\/(?!feeds\/)/.test(id)) ?? false);
    // Every known address redirects from its form with a trailing slash; only pages redirect from other spellings.
    if (isRead && (isUpload || !pattern.endsWith('*')) && (isPage || spelling === bare))
      return response.redirect(301, spelling + request.originalUrl.slice(path.length));
    return refuse(request, response, 'not_found', 'Not found.');
  };
}

/** True when there is one host, every host in the headers can be part of an address, and every protocol is http or https. */
function hasValidHost(request: Request): boolean {
  const named = (name: string) => (request.get(name) ?? '').split(',').map((part) => part.trim());
  const hosts = [...named('Host'), ...named('X-Forwarded-Host')].filter((host) => host !== '');
  const protocols = named('X-Forwarded-Proto').filter((protocol) => protocol !== '');
  return (
    hasOneHost(request) && hosts.every(isHost) && protocols.every((protocol) => /^https?$/i.test(protocol))
  );
}

/**
 * Reads and drops the rest of a body that was answered before its end. Browsers send all of it before they read the
 * answer, and the connection can take the next request only afterwards.
 */
function discardRest(request: Request): void {
  if (request.complete) return;
  let dropped = 0;
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DISCARD_MAX_BYTES) request.socket.destroy();
  });
  request.resume();
}

function isWellFormed(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    // A dot segment would make this function and the router see different addresses.
    return !decoded.includes('\0') && !/(^|[/\\])\.\.?([/\\]|$)/.test(decoded);
  } catch {
    return false;
  }
}
